import ThumbwheelCore

/// The planner of the best-known sample code. Its window is a rectangle around the visible one, and moves in steps of a third
/// of the view's height. A step starts the items that it adds and stops the items that it leaves behind.
public struct StripPreheatPlanner: GridPlanner {
    /// How far the window's rectangle reaches beyond the visible one on each side, in screens.
    public let reach: Double
    private var visible = VisibleItems()
    private var gate = MovementGate()
    private var window: Range<Int> = 0..<0
    private var startedCount = 0

    /// Makes a planner.
    ///
    /// - Parameter reach: How far the window's rectangle reaches beyond the visible one on each side, in screens.
    public init(reach: Double = 0.5) {
        self.reach = reach
    }

    public mutating func viewportMoved(
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset, itemCount: itemCount) else { return [] }
        let actions = visible.plainActions(for: layout.visibleItems(at: offset, itemCount: itemCount))
        let screen = Double(layout.viewport.height)
        guard gate.opens(at: offset, screen: screen) else { return actions }
        let wanted = layout.items(
            from: offset - reach * screen, to: offset + screen + reach * screen, itemCount: itemCount)
        return actions + window.move(to: wanted, startedCount: &startedCount)
    }

    public mutating func contentsChanged() {
        visible = VisibleItems()
        gate = MovementGate()
        window = 0..<0
    }
}
