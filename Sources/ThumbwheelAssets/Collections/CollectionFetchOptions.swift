/// The options of a fetch of collections: its condition, its order and its limit.
public struct CollectionFetchOptions: Sendable, Hashable {
    /// The condition that collections must meet; nil finds all collections.
    public var predicate: CollectionPredicate?
    /// The properties by which the result is sorted, the most important first. Collections with equal values keep the
    /// order in which the fetch finds them.
    public var sortDescriptors: [CollectionSortDescriptor]
    /// The greatest number of collections in the result; 0 sets no limit. If more are found, the first ones after
    /// sorting are returned.
    public var fetchLimit: Int
    /// Whether changes of the result are reported item by item.
    public var wantsIncrementalChangeDetails: Bool

    /// Makes options. With the default values, a fetch finds all collections, in the order that the fetching method
    /// describes.
    public init(
        predicate: CollectionPredicate? = nil, sortDescriptors: [CollectionSortDescriptor] = [], fetchLimit: Int = 0,
        wantsIncrementalChangeDetails: Bool = true
    ) {
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.fetchLimit = fetchLimit
        self.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
    }
}

extension CollectionFetchOptions {
    func apply(_ items: [CollectionItem]) -> [CollectionItem] {
        var items = items
        if let predicate { items = items.filter { predicate.holds(CollectionValues(item: $0)) } }
        if !sortDescriptors.isEmpty {
            items = items.enumerated().sorted { one, other in
                for descriptor in sortDescriptors {
                    if let precedes = descriptor.precedes(one.element, other.element) { return precedes }
                }
                return one.offset < other.offset
            }.map(\.element)
        }
        return fetchLimit > 0 ? Array(items.prefix(fetchLimit)) : items
    }
}
