import Foundation

/// How a fetch chooses, sorts and cuts what it finds; a value, taken as it is when the fetch is made (row 49).
public struct FetchOptions: Sendable, Hashable {
    /// Which assets to find; nil for all (row 50).
    public var predicate: AssetPredicate?
    /// What to sort by, the first first; ties keep the order of import (row 51).
    public var sortDescriptors: [AssetSortDescriptor]
    /// The most assets to return, after sorting; 0 for all (row 55).
    public var fetchLimit: Int
    /// Whether hidden assets are found (row 52).
    public var includeHiddenAssets: Bool
    /// Whether all members of a burst are found, not its representative and what the user picked alone (row 53).
    public var includeAllBurstAssets: Bool
    /// Where assets must come from; empty for what suits the fetch (row 54): the user's own library, or, for albums and
    /// identifiers, anywhere.
    public var includeAssetSourceTypes: AssetSourceTypes
    /// Whether changes of the result shall be told item by item (row 56).
    public var wantsIncrementalChangeDetails: Bool

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
    public enum Key: String, Sendable, Hashable, CaseIterable {
        case creationDate, modificationDate, addedDate
        case localIdentifier, mediaType, mediaSubtypes, duration, pixelWidth, pixelHeight
        case isFavorite, isHidden, burstIdentifier, fileSize, originalFilename, latitude, longitude
    }

    public var key: Key
    public var isAscending: Bool

    public init(_ key: Key, ascending isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// Reads Foundation's descriptor; a key that cannot be sorted by is an error that names it.
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
