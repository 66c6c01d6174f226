import ThumbwheelCore

/// Decides which items a scrolling grid requests and prepares, from the movement of its viewport so far. A planner is a
/// plain value.
public protocol GridPlanner: Sendable {
    /// Tells the planner that the viewport's leading edge is now at `offset`, in pixels along the layout's axis. The
    /// library's own planners ignore an offset that is not a finite number.
    mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction]

    /// Tells the planner that the contents have changed, so that the item numbers refer to other items. The planner
    /// forgets all its requests, and makes them again at its next move.
    mutating func contentsChanged()

    /// Tells the planner how fast images are made at present. The call is optional, and comes before a move.
    mutating func supplyChanged(to supply: GridSupply)
}

extension GridPlanner {
    public mutating func supplyChanged(to supply: GridSupply) {}
}
