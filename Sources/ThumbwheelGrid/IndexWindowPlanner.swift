import ThumbwheelCore

/// A widespread planner, for comparison, like `StripPreheatPlanner`. Its caching window consists of the visible items
/// and a fixed number of items on each side, and moves only after a third of a screen. Unlike common versions of it,
/// this one does not leave out the last item.
public struct IndexWindowPlanner: GridPlanner {
    /// The number of items on each side of the visible ones.
    public let itemsEachSide: Int
    private var visible = VisibleItems()
    private var gate = MovementGate()
    private var window: Range<Int> = 0..<0
    private var startedCount = 0

    /// Makes a planner.
    ///
    /// - Parameter itemsEachSide: The number of items on each side of the visible ones.
    public init(itemsEachSide: Int = 30) {
        self.itemsEachSide = itemsEachSide
    }

    public mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset) else { return [] }
        let items = layout.visibleItems(at: offset)
        let actions = visible.plainActions(for: items)
        guard gate.opens(at: offset, screen: layout.screenLength) else { return actions }
        let wanted =
            items.isEmpty
            ? 0..<0
            : max(0, items.lowerBound - itemsEachSide)..<min(layout.itemCount, items.upperBound + itemsEachSide)
        return actions + window.move(to: wanted, startedCount: &startedCount)
    }

    public mutating func contentsChanged() {
        visible = VisibleItems()
        gate = MovementGate()
        window = 0..<0
    }
}
