import Foundation

/// A folder of albums and folders, or a transient list of collections (rows 24 and 26).
public struct CollectionList: LibraryCollection {
    public enum ListType: Int, Sendable, CaseIterable {
        case momentList = 1
        case folder = 2
        case smartFolder = 3
    }

    /// PhotoKit's numbers (row 24).
    public struct Subtype: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        public static let regularFolder = Subtype(rawValue: 100)
        public static let smartFolderEvents = Subtype(rawValue: 200)
        public static let smartFolderFaces = Subtype(rawValue: 201)
        /// In a fetch, every subtype.
        public static let any = Subtype(rawValue: .max)
    }

    public let identifier: CollectionIdentifier
    public let collectionListType: ListType
    public let collectionListSubtype: Subtype
    public let localizedTitle: String?
    /// The members of a transient list; nil for a folder, whose members are fetched.
    let transientItems: [CollectionItem]?

    init(_ record: CollectionRecord) {
        identifier = record.identifier
        collectionListType = .folder
        collectionListSubtype = Subtype(rawValue: record.subtype)
        localizedTitle = record.title
        transientItems = nil
    }

    private init(transient items: [CollectionItem], title: String?) {
        identifier = .random(.folder)
        collectionListType = .folder
        collectionListSubtype = .regularFolder
        localizedTitle = title
        transientItems = items
    }

    /// A list in memory that can be fetched from like a folder, and not be edited or put into one (row 26).
    public static func transientCollectionList(
        with collections: some Sequence<CollectionItem>, title: String? = nil
    ) -> CollectionList {
        CollectionList(transient: Array(collections), title: title)
    }

    public var isTransient: Bool { transientItems != nil }

    public var canContainAssets: Bool { false }

    public var canContainCollections: Bool { true }

    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        !isTransient && collectionListSubtype == .regularFolder
    }
}
