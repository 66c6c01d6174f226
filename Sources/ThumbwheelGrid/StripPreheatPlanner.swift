import ThumbwheelCore

/// The planner of the best-known sample code, for comparison and for any layout. Its caching window is a
/// ``PreheatRectangle``: it moves only after a third of a screen, and then adds the items that it reaches and removes
/// those that it leaves.
public struct StripPreheatPlanner: GridPlanner {
    private var visible = VisibleItems()
    private var rectangle: PreheatRectangle
    private var startedCount = 0

    /// The distance by which the window exceeds the visible rectangle on each side, in screens.
    public var reach: Double { rectangle.reach }

    /// Makes a planner.
    ///
    /// - Parameter reach: The distance by which the window exceeds the visible rectangle on each side, in screens.
    public init(reach: Double = 0.5) {
        rectangle = PreheatRectangle(reach: reach)
    }

    public mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset) else { return [] }
        var actions = visible.plainActions(for: layout.visibleItems(at: offset))
        guard let (added, removed) = rectangle.move(to: offset, in: layout) else { return actions }
        if !added.isEmpty { actions.append(.startCaching(added, urgency: Double(startedCount))) }
        if !removed.isEmpty { actions.append(.stopCaching(removed)) }
        startedCount += added.count
        return actions
    }

    public mutating func contentsChanged() {
        visible = VisibleItems()
        rectangle = PreheatRectangle(reach: reach)
    }
}
