/// A property by which collections are sorted, and the direction. In ascending order, collections without the property
/// come first. Collections with equal values stay in the order that they had before sorting.
public struct CollectionSortDescriptor: Sendable, Hashable {
    /// The properties by which collections can be sorted.
    public enum Key: String, Sendable, CaseIterable {
        /// The text of the identifier.
        case localIdentifier
        /// The title.
        case localizedTitle
        /// The date of the earliest asset.
        case startDate
        /// The date of the latest asset.
        case endDate
        /// The number of assets.
        case estimatedAssetCount
    }

    /// The property by which collections are sorted.
    public var key: Key
    /// Whether small values come first.
    public var isAscending: Bool

    /// Makes a descriptor that sorts by a property.
    public init(_ key: Key, ascending isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// Returns whether the first collection comes before the second one; nil if their values are equal.
    func precedes(_ one: CollectionItem, _ other: CollectionItem) -> Bool? {
        guard let key = CollectionKey(rawValue: key.rawValue) else { return nil }
        let (first, second) = (CollectionValues(item: one)[key], CollectionValues(item: other)[key])
        if first == second { return nil }
        if let first = first.text, let second = second.text { return (first < second) == isAscending }
        return ((first.number ?? -.infinity) < (second.number ?? -.infinity) || first == .absent) == isAscending
    }
}
