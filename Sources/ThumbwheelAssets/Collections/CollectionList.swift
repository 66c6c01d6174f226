import Foundation

/// A folder of albums and folders, a list of moments, or a transient list of collections.
public struct CollectionList: LibraryCollection {
    /// The kinds of lists, with PhotoKit's numbers.
    public enum ListType: Int, Sendable, CaseIterable {
        /// A list of moments; see <doc:Semantics#Moments>.
        case momentList = 1
        /// A folder.
        case folder = 2
        /// A folder whose members are computed. This library has no such folders.
        case smartFolder = 3
    }

    /// The subtypes of lists, with PhotoKit's numbers.
    public struct Subtype: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The moments of a sequence of consecutive days. On each of these days, at least one asset was taken.
        public static let momentListCluster = Subtype(rawValue: 1)
        /// The moments of a year.
        public static let momentListYear = Subtype(rawValue: 2)
        /// A folder that users make and edit.
        public static let regularFolder = Subtype(rawValue: 100)
        /// A smart folder of events. This library has no such folders.
        public static let smartFolderEvents = Subtype(rawValue: 200)
        /// A smart folder of faces. This library has no such folders.
        public static let smartFolderFaces = Subtype(rawValue: 201)
        /// Any subtype. Use it in fetches.
        public static let any = Subtype(rawValue: .max)
    }

    /// The identifier. Lists with the same identifier are equal.
    public let identifier: CollectionIdentifier
    /// The kind of the list.
    public let collectionListType: ListType
    /// The subtype, which describes the kind more precisely.
    public let collectionListSubtype: Subtype
    /// The title; nil if the list has none. If the list has the moments of a year, the title is the number of the year.
    public let localizedTitle: String?
    public let modificationDate: Date?
    public let startDate: Date?
    /// The date of the latest asset in a list of moments; nil for other lists.
    public let endDate: Date?
    public let localizedLocationNames: [String]
    let content: Content

    /// The rule by which a fetch finds the members of the list.
    enum Content: Sendable {
        case folder
        case transient(TransientItems)
        /// The moments of the days that begin within the range. A moment has the assets of one calendar day in the time
        /// zone. The bounds of the range are in seconds since the reference date.
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

    /// Makes a list that exists only in memory. Its members can be fetched like those of a folder; see
    /// <doc:Semantics#Transient-collections>.
    public static func transientCollectionList(
        with collections: some Sequence<some LibraryCollection>, title: String? = nil
    ) -> CollectionList {
        CollectionList(
            identifier: .transient(.folder), type: .folder, subtype: .regularFolder, title: title,
            content: .transient(TransientItems(collections.map(\.item))))
    }

    /// Whether the list exists only in memory.
    public var isTransient: Bool {
        if case .transient = content { true } else { false }
    }

    /// Always false: the members of a list are collections.
    public var canContainAssets: Bool { false }

    /// Always true: the members of a list are collections.
    public var canContainCollections: Bool { true }

    public var item: CollectionItem { .folder(self) }

    /// Whether the list allows an operation. Folders that were made in the library allow all operations; other lists
    /// allow none.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        guard case .folder = content else { return false }
        return collectionListSubtype == .regularFolder
    }
}
