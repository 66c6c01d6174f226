import Foundation

/// The options of a fetch of assets: its conditions, its order and its limit. They are a value, read when the fetch is
/// made. See <doc:Semantics#Fetch-options>.
public struct FetchOptions: Sendable, Hashable {
    /// The condition that assets must meet; nil for all.
    public var predicate: AssetPredicate?
    /// The properties to sort by, the most important first; ties keep the order of import.
    public var sortDescriptors: [AssetSortDescriptor]
    /// The greatest number of assets to return, counted after sorting; 0 for all.
    public var fetchLimit: Int
    /// Whether hidden assets are found.
    public var includeHiddenAssets: Bool
    /// Whether all members of a burst are found, rather than only its representative and the members that the user
    /// picked.
    public var includeAllBurstAssets: Bool
    /// The sources that assets must come from. If empty, fetches by album or identifier find assets from any source, and
    /// other fetches find those from the user's own library.
    public var includeAssetSourceTypes: AssetSourceType
    /// Whether changes of the result are reported item by item.
    public var wantsIncrementalChangeDetails: Bool

    /// Makes options. By default, a fetch is neither sorted nor limited; it leaves out hidden assets, and most members
    /// of bursts.
    public init(
        predicate: AssetPredicate? = nil, sortDescriptors: [AssetSortDescriptor] = [], fetchLimit: Int = 0,
        includeHiddenAssets: Bool = false, includeAllBurstAssets: Bool = false,
        includeAssetSourceTypes: AssetSourceType = [], wantsIncrementalChangeDetails: Bool = true
    ) {
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.fetchLimit = fetchLimit
        self.includeHiddenAssets = includeHiddenAssets
        self.includeAllBurstAssets = includeAllBurstAssets
        self.includeAssetSourceTypes = includeAssetSourceTypes
        self.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
    }

    /// Makes options from a `#Predicate` and Foundation's sort descriptors.
    ///
    /// - Throws: `FetchPredicateError` for a key or an operation that fetches do not support.
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
