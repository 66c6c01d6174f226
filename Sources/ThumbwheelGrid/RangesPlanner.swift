import ThumbwheelCore

/// A planner, for comparison, whose caching window is wide in the direction of the scroll and narrow behind it. The two
/// widths swap when the direction changes. All items of the window are sorted again in every frame, and visible items
/// are served in the order in which they appeared.
package struct RangesPlanner: GridPlanner {
    private static let screensAhead = 2.5
    private static let screensBehind = 1.5

    private var visible = VisibleItems()
    private var window: Range<Int> = 0..<0
    private var lastOffset: Double?
    private var isGoingDown = true

    package init() {}

    package mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset) else { return [] }
        if let lastOffset, offset != lastOffset { isGoingDown = offset > lastOffset }
        guard offset != lastOffset else { return [] }
        lastOffset = offset
        let items = layout.visibleItems(at: offset)
        var actions = visible.plainActions(for: items)
        let screen = layout.screenLength
        let above = screen * (isGoingDown ? Self.screensBehind : Self.screensAhead)
        let below = screen * (isGoingDown ? Self.screensAhead : Self.screensBehind)
        let wanted = layout.items(from: offset - above, to: offset + screen + below)
        let dropped = window.filter { !wanted.contains($0) }
        window = wanted
        if !dropped.isEmpty { actions.append(.stopCaching(dropped)) }
        func distance(_ item: Int) -> Int {
            max(0, items.lowerBound - item, item - items.upperBound + 1)
        }
        let ordered = wanted.sorted { (distance($0), $0) < (distance($1), $1) }
        if !ordered.isEmpty { actions.append(.startCaching(ordered, urgency: 0)) }
        return actions
    }

    package mutating func contentsChanged() {
        visible = VisibleItems()
        window = 0..<0
        lastOffset = nil
    }
}
