import Foundation

/// A folder of albums and folders, a list of moments, or a transient list of collections (rows 24 and 26).
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

        /// Days that follow one another without a day between on which nothing was taken.
        public static let momentListCluster = Subtype(rawValue: 1)
        public static let momentListYear = Subtype(rawValue: 2)
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
    public let modificationDate: Date?
    public let startDate: Date?
    public let endDate: Date?
    public let localizedLocationNames: [String]
    let content: Content

    /// What a fetch of the list's members finds.
    enum Content: Sendable {
        case folder
        case transient(TransientItems)
        /// Those of a time zone whose days begin then.
        case moments(TimeZone, Range<Double>)
    }

    init(_ record: CollectionRecord) {
        self.init(
            identifier: record.identifier, type: .folder, subtype: Subtype(rawValue: record.subtype),
            title: record.title, content: .folder, modificationDate: record.modificationDate)
    }

    init(
        identifier: CollectionIdentifier, type: ListType, subtype: Subtype, title: String?, content: Content,
        modificationDate: Date? = nil, startDate: Date? = nil, endDate: Date? = nil, locationNames: [String] = []
    ) {
        self.identifier = identifier
        collectionListType = type
        collectionListSubtype = subtype
        localizedTitle = title
        self.content = content
        self.modificationDate = modificationDate
        self.startDate = startDate
        self.endDate = endDate
        localizedLocationNames = locationNames
    }

    /// A list in memory that can be fetched from like a folder, and not be edited or put into one (row 26).
    public static func transientCollectionList(
        with collections: some Sequence<some LibraryCollection>, title: String? = nil
    ) -> CollectionList {
        CollectionList(
            identifier: .transient(.folder), type: .folder, subtype: .regularFolder, title: title,
            content: .transient(TransientItems(collections.map(\.item))))
    }

    public var isTransient: Bool {
        if case .transient = content { true } else { false }
    }

    public var canContainAssets: Bool { false }

    public var canContainCollections: Bool { true }

    public var item: CollectionItem { .folder(self) }

    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        guard case .folder = content else { return false }
        return collectionListSubtype == .regularFolder
    }
}

/// The members of a transient list.
///
/// Unchecked, because lists within lists are let go of one after another, and not by recursion: how deep they go is not
/// for us to say. `items` is written by a `deinit` alone, when nobody else has the object.
final class TransientItems: @unchecked Sendable {
    private(set) var items: [CollectionItem]

    init(_ items: [CollectionItem]) {
        self.items = items
    }

    deinit {
        var orphans = takeLists()
        while var list = orphans.popLast() {
            if isKnownUniquelyReferenced(&list) { orphans += list.takeLists() }
        }
    }

    private func takeLists() -> [TransientItems] {
        defer { items = [] }
        return items.compactMap { item in
            if case .folder(let list) = item, case .transient(let inner) = list.content { inner } else { nil }
        }
    }
}
