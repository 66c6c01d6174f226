/// How a fetch of collections chooses, sorts and cuts.
public struct CollectionFetchOptions: Sendable, Hashable {
    /// The condition that collections must meet; nil for all.
    public var predicate: CollectionPredicate?
    /// The properties to sort by, the most important first; ties keep the order of the fetch.
    public var sortDescriptors: [CollectionSortDescriptor]
    /// The most collections to return, after sorting; 0 for all.
    public var fetchLimit: Int
    /// Whether changes of the result shall be told item by item.
    public var wantsIncrementalChangeDetails: Bool

    /// Makes options; without arguments all collections are found, in the order of the fetch.
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
