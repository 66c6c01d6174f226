import Foundation

/// The choice, order and number of the assets that a fetch finds; a value that is read when the fetch is made. See
/// <doc:Semantics#Fetch-options>.
public struct FetchOptions: Sendable, Hashable {
    /// The condition that assets must meet; nil for all.
    public var predicate: AssetPredicate?
    /// The properties to sort by, the most important first; ties keep the order of import.
    public var sortDescriptors: [AssetSortDescriptor]
    /// The most assets to return, after sorting; 0 for all.
    public var fetchLimit: Int
    /// Whether hidden assets are found.
    public var includeHiddenAssets: Bool
    /// Whether all members of a burst are found, not its representative and what the user picked alone.
    public var includeAllBurstAssets: Bool
    /// Where assets must come from. If empty, the fetch decides: the user's own library, or anywhere for albums and
    /// identifiers.
    public var includeAssetSourceTypes: AssetSourceTypes
    /// Whether changes of the result are told item by item.
    public var wantsIncrementalChangeDetails: Bool

    /// Makes options; without arguments a fetch has its usual assets, in its own order.
    public init(
        predicate: AssetPredicate? = nil, sortDescriptors: [AssetSortDescriptor] = [], fetchLimit: Int = 0,
        includeHiddenAssets: Bool = false, includeAllBurstAssets: Bool = false,
        includeAssetSourceTypes: AssetSourceTypes = [], wantsIncrementalChangeDetails: Bool = true
    ) {
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.fetchLimit = fetchLimit
        self.includeHiddenAssets = includeHiddenAssets
        self.includeAllBurstAssets = includeAllBurstAssets
        self.includeAssetSourceTypes = includeAssetSourceTypes
        self.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
    }

    /// Options with a `#Predicate`, and Foundation's sort descriptors.
    ///
    /// - Throws: `FetchPredicateError` for a key or an operation that fetches do not have.
    public init(
        matching predicate: Predicate<Asset>?, sortedBy sortDescriptors: [SortDescriptor<Asset>] = [],
        fetchLimit: Int = 0
    ) throws(FetchPredicateError) {
        var sorts: [AssetSortDescriptor] = []
        for descriptor in sortDescriptors { sorts.append(try AssetSortDescriptor(descriptor)) }
        var compiled: AssetPredicate?
        if let predicate { compiled = try AssetPredicate(predicate) }
        self.init(predicate: compiled, sortDescriptors: sorts, fetchLimit: fetchLimit)
    }
}

/// A property to sort assets by, and which way. Assets that lack the property come before those that have it.
public struct AssetSortDescriptor: Sendable, Hashable {
    /// The properties that assets can be sorted by.
    public enum Key: String, Sendable, Hashable, CaseIterable {
        /// When the photograph was taken.
        case creationDate
        /// When the asset or one of its properties changed last.
        case modificationDate
        /// When the asset came into the library.
        case addedDate
        /// The text of the identifier.
        case localIdentifier
        /// The kind of the asset, as PhotoKit's number.
        case mediaType
        /// The bits of the subtypes, as a number.
        case mediaSubtypes
        /// The length in seconds.
        case duration
        /// The width in pixels, in display orientation.
        case pixelWidth
        /// The height in pixels, in display orientation.
        case pixelHeight
        /// Whether the asset is a favourite; others first.
        case isFavorite
        /// Whether the asset is hidden; others first.
        case isHidden
        /// The burst that the asset is a member of.
        case burstIdentifier
        /// The length of the file in bytes.
        case fileSize
        /// The name of the file.
        case originalFilename
        /// Degrees north.
        case latitude
        /// Degrees east.
        case longitude
    }

    /// The property.
    public var key: Key
    /// Whether small values come first.
    public var isAscending: Bool

    /// Makes a descriptor.
    public init(_ key: Key, ascending isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// Reads Foundation's descriptor; a key that cannot be sorted by is an error that names it.
    ///
    /// - Throws: `FetchPredicateError.unsupportedKey`.
    public init(_ descriptor: SortDescriptor<Asset>) throws(FetchPredicateError) {
        guard let path = descriptor.keyPath else { throw .unsupportedExpression("a comparator without a key path") }
        guard let key = AssetKey.key(for: path) else {
            throw .unsupportedKey(AssetKey.nameOfUnusable(path) ?? String(describing: path))
        }
        guard let sortKey = Key(rawValue: key.rawValue) else { throw .unsupportedKey(key.rawValue) }
        self.init(sortKey, ascending: descriptor.order == .forward)
    }

    var column: KeyColumn? { AssetKey(rawValue: key.rawValue)?.column }
}
