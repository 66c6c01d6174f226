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
