/// A property to sort collections by, and the direction. In ascending order, collections without the property come
/// first. Collections with equal values keep the order that they had.
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

    /// The property to sort by.
    public var key: Key
    /// Whether small values come first.
    public var isAscending: Bool

    /// Makes a descriptor that sorts by a property.
    public init(_ key: Key, ascending isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// Whether the first collection comes before the second; nil for a tie.
    func precedes(_ one: CollectionItem, _ other: CollectionItem) -> Bool? {
        guard let key = CollectionKey(rawValue: key.rawValue) else { return nil }
        let (first, second) = (CollectionValues(item: one)[key], CollectionValues(item: other)[key])
        if first == second { return nil }
        if let first = first.text, let second = second.text { return (first < second) == isAscending }
        return ((first.number ?? -.infinity) < (second.number ?? -.infinity) || first == .absent) == isAscending
    }
}
