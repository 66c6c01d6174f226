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

/// A property to sort collections by, and which way. What lacks it comes before what has it; ties keep their order.
public struct CollectionSortDescriptor: Sendable, Hashable {
    /// The properties that collections can be sorted by.
    public enum Key: String, Sendable, CaseIterable {
        /// The text of the identifier.
        case localIdentifier
        /// The title.
        case localizedTitle
        /// When the earliest asset was taken.
        case startDate
        /// When the latest asset was taken.
        case endDate
        /// The number of assets.
        case estimatedAssetCount
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

    /// Nil for a tie.
    func precedes(_ one: CollectionItem, _ other: CollectionItem) -> Bool? {
        guard let key = CollectionKey(rawValue: key.rawValue) else { return nil }
        let (first, second) = (CollectionValues(item: one)[key], CollectionValues(item: other)[key])
        if first == second { return nil }
        if let first = first.text, let second = second.text { return (first < second) == isAscending }
        return ((first.number ?? -.infinity) < (second.number ?? -.infinity) || first == .absent) == isAscending
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
