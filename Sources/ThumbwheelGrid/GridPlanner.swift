import ThumbwheelCore

/// One thing that a grid asks of an image manager; items are numbered from the top.
public enum GridAction: Hashable, Sendable {
    /// An item has become visible. Less urgency goes first.
    case request(Int, urgency: Double)
    /// A visible item is now wanted sooner, or later.
    case setUrgency(Int, Double)
    /// An item has left the screen.
    case cancel(Int)
    /// The items are to be made ready; the first has this urgency, each further one 1 more. For those in the window
    /// already only the urgency changes.
    case startCaching([Int], urgency: Double)
    /// The items are no longer to be made ready.
    case stopCaching([Int])
    /// Whether the window is worth full quality at the present speed.
    case setAllowsHighQuality(Bool)
}

/// Decides what a scrolling grid asks for, from the visible rectangle up to now and nothing else: a plain value.
public protocol GridPlanner: Sendable {
    /// Tells the planner that the viewport's upper edge is now at `offset`, in pixels from the grid's top. The
    /// library's own planners ignore an offset that is not a finite number.
    mutating func viewportMoved(
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction]

    /// The items have other numbers, or are others: all that was asked for is forgotten, and the next move asks for all
    /// of it again.
    mutating func contentsChanged()

    /// Images are made faster, or more slowly, than was known; said before a move, where it is said at all.
    mutating func supplyChanged(to supply: GridSupply)
}

extension GridPlanner {
    public mutating func supplyChanged(to supply: GridSupply) {}
}

/// The visible items, and those that have come and gone since the last look: the beginning of every planner.
public struct VisibleItems: Sendable {
    /// The items that were visible at the last look.
    public private(set) var current: Range<Int> = 0..<0

    /// Begins without any visible item.
    public init() {}

    /// - Returns: the items that became visible, and those that left, both from the top.
    public mutating func update(to items: Range<Int>) -> (arrived: [Int], left: [Int]) {
        defer { current = items }
        guard items != current else { return ([], []) }
        return (items.filter { !current.contains($0) }, current.filter { !items.contains($0) })
    }
}
