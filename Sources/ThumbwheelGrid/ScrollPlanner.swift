import ThumbwheelCore

/// The library's own way to keep a grid filled.
///
/// Visible items are asked for in order of their distance from the edge that the scroll reveals: those will be on screen
/// longest. What leaves is cancelled. Ahead and behind lies a window of items to be made ready, wider on the side the
/// scroll moves to, kept at rest: those ahead first, the nearest first, then those behind.
///
/// An urgency is a distance from the revealing edge up to a constant that is the same for all, so as the view moves on
/// nothing has to be said again of what stays: a step takes time in proportion to what it reveals, a turn to the window.
public struct ScrollPlanner: GridPlanner {
    public struct Parameters: Hashable, Sendable {
        /// Height of the window in the direction of the scroll, in screens.
        public var screensAhead: Double
        /// Height of the window on the other side, in screens.
        public var screensBehind: Double

        public init(screensAhead: Double = 2.5, screensBehind: Double = 1.5) {
            self.screensAhead = screensAhead
            self.screensBehind = screensBehind
        }
    }

    private enum Direction {
        case down, up
    }

    public let parameters: Parameters
    private var visible = VisibleItems()
    private var window: Range<Int> = 0..<0
    /// The part of the window that was visible or ahead when it was last looked at.
    private var windowAhead: Range<Int> = 0..<0
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
        // From the top there is one way only.
        if lastOffset == nil, offset <= 0 { direction = .down }
        lastOffset = offset

        let isTurning = direction != previousDirection
        let items = layout.visibleItems(at: offset, itemCount: itemCount)
        let stayed = visible.current.clamped(to: items)
        let (arrived, left) = visible.update(to: items)
        var actions = left.map { GridAction.cancel($0) }
        if isTurning { actions += stayed.map { .setUrgency($0, urgency(ofVisible: $0, in: layout)) } }
        actions += arrived.map { .request($0, urgency: urgency(ofVisible: $0, in: layout)) }
        let screen = Double(layout.viewport.height)
        let above = screen * (direction == .up ? parameters.screensAhead : parameters.screensBehind)
        let below = screen * (direction == .down ? parameters.screensAhead : parameters.screensBehind)
        let wanted = layout.items(from: offset - above, to: offset + screen + below, itemCount: itemCount)
        return actions + moveWindow(to: wanted, isTurning: isTurning)
    }

    /// The direction is kept: a finger goes on where a library changes. A jump to other contents is no turn.
    public mutating func contentsChanged() {
        visible = VisibleItems()
        lastOffset = nil
        window = 0..<0
        windowAhead = 0..<0
    }

    /// The row nearest to the revealing edge is the most urgent.
    private func urgency(ofVisible item: Int, in layout: GridLayout) -> Double {
        let row = Double(layout.row(ofItem: item))
        return direction == .down ? -row : row
    }

    private mutating func moveWindow(to wanted: Range<Int>, isTurning: Bool) -> [GridAction] {
        let dropped = window.filter { !wanted.contains($0) }
        // What is visible counts as ahead: it is wanted first, and held while it is seen.
        let ahead: Range<Int>
        let behind: Range<Int>
        switch direction {
        case .down:
            ahead = visible.current.lowerBound..<max(visible.current.lowerBound, wanted.upperBound)
            behind = wanted.lowerBound..<max(wanted.lowerBound, visible.current.lowerBound)
        case .up:
            ahead = min(wanted.lowerBound, visible.current.upperBound)..<visible.current.upperBound
            behind = min(visible.current.upperBound, wanted.upperBound)..<wanted.upperBound
        }
        defer {
            window = wanted
            windowAhead = ahead
        }
        var actions: [GridAction] = []
        if !dropped.isEmpty { actions.append(.stopCaching(dropped)) }
        actions += start(ahead.filter { isTurning || !window.contains($0) }, isAhead: true)
        // What was ahead a moment ago has left the screen, or has been flown past without having been on it.
        actions += start(
            behind.filter { isTurning || !window.contains($0) || windowAhead.contains($0) }, isAhead: false)
        return actions
    }

    /// Urgencies are the items' own numbers, counted in the direction in which they are wanted.
    private func start(_ items: [Int], isAhead: Bool) -> [GridAction] {
        let ascends = (direction == .down) == isAhead
        let ordered = ascends ? items : items.reversed()
        guard let first = ordered.first else { return [] }
        // Beyond any item number: all that is behind comes after all that is ahead.
        let base = isAhead ? 0 : 0x1p40
        // Items in one call must follow one another without a gap, for each is 1 more than the one before.
        guard abs(ordered.last! - first) == ordered.count - 1 else {
            return ordered.map { .startCaching([$0], urgency: base + Double(ascends ? $0 : -$0)) }
        }
        return [.startCaching(ordered, urgency: base + Double(ascends ? first : -first))]
    }
}
