import Foundation

/// The options of a fetch of assets: its conditions, its order and its limit. Changing the options after a fetch does
/// not change the result. See <doc:Semantics#Fetch-options>.
public struct FetchOptions: Sendable, Hashable {
    /// The condition that assets must meet; nil finds all assets.
    public var predicate: AssetPredicate?
    /// The properties by which the result is sorted, the most important first. Assets with equal values are in the
    /// order of import.
    public var sortDescriptors: [AssetSortDescriptor]
    /// The greatest number of assets in the result; 0 sets no limit. If more are found, the first ones after sorting
    /// are returned.
    public var fetchLimit: Int
    /// Whether the fetch also finds hidden assets.
    public var includeHiddenAssets: Bool
    /// Whether the fetch finds all members of a burst. Otherwise, it finds only the representative of the burst and the
    /// members that the user has picked.
    public var includeAllBurstAssets: Bool
    /// The sources from which assets must come. If it is empty, a fetch by album or identifier finds assets from any
    /// source, and any other fetch finds only assets from the user's own library.
    public var includeAssetSourceTypes: AssetSourceType
    /// Whether changes of the result are reported item by item.
    public var wantsIncrementalChangeDetails: Bool

    /// Makes options. With the default values, a fetch is neither sorted nor limited. It leaves out hidden assets and,
    /// of each burst, all members except the representative and those that the user has picked.
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
    /// - Throws: `FetchPredicateError` if a predicate or a sort descriptor uses a property or an operation that fetches
    ///   do not support.
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
