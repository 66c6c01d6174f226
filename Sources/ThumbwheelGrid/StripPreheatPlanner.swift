import ThumbwheelCore

/// The algorithm of the best-known sample code: a rectangle around the visible one, moved in steps of a third of the
/// view's height. A step starts the items that it adds and stops those that it leaves behind.
public struct StripPreheatPlanner: GridPlanner {
    /// How far the rectangle reaches beyond the visible one on each side, in screens.
    public let reach: Double
    private var visible = VisibleItems()
    private var gate = MovementGate()
    private var window: Range<Int> = 0..<0
    private var startedCount = 0

    /// Makes a planner.
    ///
    /// - Parameter reach: How far the rectangle reaches beyond the visible one on each side, in screens.
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

/// The other algorithm that is often copied: the visible items and a fixed number on each side, moved in the same
/// steps. The original left out the last item; this one does not.
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
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset, itemCount: itemCount) else { return [] }
        let items = layout.visibleItems(at: offset, itemCount: itemCount)
        let actions = visible.plainActions(for: items)
        guard gate.opens(at: offset, screen: Double(layout.viewport.height)) else { return actions }
        let wanted =
            items.isEmpty
            ? 0..<0
            : max(0, items.lowerBound - itemsEachSide)..<min(itemCount, items.upperBound + itemsEachSide)
        return actions + window.move(to: wanted, startedCount: &startedCount)
    }

    public mutating func contentsChanged() {
        visible = VisibleItems()
        gate = MovementGate()
        window = 0..<0
    }
}

/// Lets a window move only when the view has moved by a third of a screen.
private struct MovementGate {
    private var lastOffset: Double?

    mutating func opens(at offset: Double, screen: Double) -> Bool {
        if let lastOffset, abs(offset - lastOffset) <= screen / 3 { return false }
        lastOffset = offset
        return true
    }
}

extension VisibleItems {
    /// Asks for what arrives, in order of arrival, and cancels what left.
    public mutating func plainActions(for items: Range<Int>) -> [GridAction] {
        let (arrived, left) = update(to: items)
        return left.map { .cancel($0) } + arrived.map { .request($0, urgency: 0) }
    }
}

extension Range<Int> {
    /// Stops what the move leaves behind and starts what it adds, after all that was started before.
    fileprivate mutating func move(to wanted: Range<Int>, startedCount: inout Int) -> [GridAction] {
        let removed = filter { !wanted.contains($0) }
        let added = wanted.filter { !contains($0) }
        self = wanted
        defer { startedCount += added.count }
        return (added.isEmpty ? [] : [.startCaching(added, urgency: Double(startedCount))])
            + (removed.isEmpty ? [] : [.stopCaching(removed)])
    }
}
