/// The visible items of a view. An update tells which items have appeared and which have left. All planners use it.
public struct VisibleItems: Sendable {
    /// The items that were visible at the last update.
    public private(set) var current: Range<Int> = 0..<0

    /// Makes a value without visible items.
    public init() {}

    /// - Returns: the items that became visible, and those that left, both in ascending order.
    public mutating func update(to items: Range<Int>) -> (arrived: [Int], left: [Int]) {
        defer { current = items }
        guard items != current else { return ([], []) }
        return (items.filter { !current.contains($0) }, current.filter { !items.contains($0) })
    }
}
