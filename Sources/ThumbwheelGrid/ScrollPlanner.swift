import ThumbwheelCore

/// The library's own way to keep a grid filled.
///
/// Visible items are asked for in order of their distance from the edge that the scroll reveals: those will be on screen
/// longest. What leaves is cancelled. Ahead and behind lies a window of items to be made ready, wider on the side the
/// scroll moves to, kept at rest, nearest first.
public struct ScrollPlanner: GridPlanner {
    public struct Parameters: Hashable, Sendable {
        /// Height of the window in the direction of the scroll, in screens.
        public var screensAhead: Double
        /// Height of the window on the other side, in screens.
        public var screensBehind: Double
        /// How much farther away an item behind seems than one ahead.
        public var reluctanceBehind: Double

        public init(screensAhead: Double = 2.5, screensBehind: Double = 1.5, reluctanceBehind: Double = 2) {
            self.screensAhead = screensAhead
            self.screensBehind = screensBehind
            self.reluctanceBehind = reluctanceBehind
        }
    }

    private enum Direction {
        case down, up
    }

    public let parameters: Parameters
    private var visible = VisibleItems()
    private var window: Range<Int> = 0..<0
    private var lastOffset: Double?
    private var direction = Direction.down

    public init(parameters: Parameters = Parameters()) {
        self.parameters = parameters
    }

    public mutating func viewportMoved(
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction] {
        let previousDirection = direction
        if let lastOffset, offset != lastOffset { direction = offset > lastOffset ? .down : .up }
        lastOffset = offset

        let items = layout.visibleItems(at: offset, itemCount: itemCount)
        let stayed = visible.current.clamped(to: items)
        let (arrived, left) = visible.update(to: items)
        var actions = left.map { GridAction.cancel($0) }
        if direction != previousDirection {
            actions += stayed.map { .setUrgency($0, urgency(of: $0, in: layout)) }
        }
        actions += arrived.map { .request($0, urgency: urgency(of: $0, in: layout)) }
        actions += moveWindow(at: offset, in: layout, itemCount: itemCount, isTurning: direction != previousDirection)
        return actions
    }

    /// The distance from the revealing edge, up to a constant that is the same for all: so it need not be said again as
    /// the view moves, only when it turns.
    private func urgency(of item: Int, in layout: GridLayout) -> Double {
        let row = Double(layout.row(ofItem: item))
        return direction == .down ? -row : row
    }

    private mutating func moveWindow(
        at offset: Double, in layout: GridLayout, itemCount: Int, isTurning: Bool
    ) -> [GridAction] {
        let screen = Double(layout.viewport.height)
        let above = screen * (direction == .up ? parameters.screensAhead : parameters.screensBehind)
        let below = screen * (direction == .down ? parameters.screensAhead : parameters.screensBehind)
        let wanted = layout.items(from: offset - above, to: offset + screen + below, itemCount: itemCount)
        guard wanted != window || isTurning else { return [] }
        let dropped = window.filter { !wanted.contains($0) }
        window = wanted

        let shown = visible.current
        let distances = wanted.map { item -> (item: Int, distance: Double) in
            let row = layout.row(ofItem: item)
            let ahead = row - layout.row(ofItem: max(shown.lowerBound, shown.upperBound - 1))
            let behind = layout.row(ofItem: shown.lowerBound) - row
            let (front, back) = direction == .down ? (ahead, behind) : (behind, ahead)
            return (item, max(Double(front), Double(back) * parameters.reluctanceBehind, 0))
        }
        let ordered = distances.sorted { ($0.distance, $0.item) < ($1.distance, $1.item) }.map(\.item)
        var actions: [GridAction] = []
        if !dropped.isEmpty { actions.append(.stopCaching(dropped)) }
        if !ordered.isEmpty { actions.append(.startCaching(ordered)) }
        return actions
    }
}
