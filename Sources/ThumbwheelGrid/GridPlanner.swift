import ThumbwheelCore

/// Decides which items a scrolling grid requests, only from the movement of its visible rectangle so far. A planner is a plain
/// value.
public protocol GridPlanner: Sendable {
    /// Tells the planner that the viewport's leading edge is now at `offset`, in pixels along the layout's axis. The
    /// library's own planners ignore an offset that is not a finite number.
    mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction]

    /// Tells the planner that the items have other numbers or are other items. The planner forgets all its requests, and its
    /// next move makes them anew.
    mutating func contentsChanged()

    /// Tells the planner at which speed images are made now. The call is optional and comes before a move.
    mutating func supplyChanged(to supply: GridSupply)
}

extension GridPlanner {
    public mutating func supplyChanged(to supply: GridSupply) {}
}
