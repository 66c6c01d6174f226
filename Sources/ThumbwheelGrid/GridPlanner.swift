import ThumbwheelCore

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
