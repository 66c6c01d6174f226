import ThumbwheelCore

/// The library's own planner, which keeps a scrolling view filled, whatever its layout.
///
/// Visible items are requested in the order of their distance from the edge that the scroll reveals, because the items at that
/// edge will be on the screen longest. Requests of items that leave are cancelled. Ahead of the screen and behind it lies a
/// window of items to be prepared. The window is wider in the direction of the scroll and stays as it is at rest; the items
/// ahead come first, the nearest first, and the items behind follow. The window reaches as far as images must be ready in
/// advance, given how fast images are made and how the view has scrolled lately: less than half a screen if images are made
/// faster than any fling passes them, and all that the parameters allow if a fling overtakes them.
///
/// Urgencies are computed from lines or items and from times, so the urgencies of several views over one manager can be
/// compared. Items that stay keep their urgency while a view moves on: a step takes time in proportion to the items that it
/// reveals, and a turn in proportion to the window.
public struct ScrollPlanner: GridPlanner {
    /// The bounds of the window, and what the planner expects of scrolls before it has seen any.
    public struct Parameters: Hashable, Sendable {
        /// The farthest that the window reaches in the direction of the scroll, in screens. It reaches that far until something
        /// has been measured. If this and `screensBehind` are 0, there is no window.
        public var screensAhead = 2.5
        /// The farthest that the window reaches against the direction of the scroll, in screens. This side shrinks and grows in
        /// proportion to the side ahead.
        public var screensBehind = 1.5
        /// The least distance that the window reaches ahead, in screens.
        public var leastScreensAhead = 0.25
        /// The share of a fling's speed that is left after a millisecond; it predicts where the fling comes to rest.
        public var decelerationRate = 0.998
        /// The scroll speed that is expected before any scroll has been seen, in screens per second.
        public var topSpeed: Double = 5
        /// The time in seconds after which the highest speed of the scroll, and the farthest that it ran ahead of the images,
        /// count only half.
        public var halfLife: Double = 10
        /// The safety factor of the window: the window is larger by this factor than would suffice if all images took the same
        /// time.
        public var caution = 1.5
        /// The scroll speed from which on the window asks for fast images only, in multiples of the speed at which images can
        /// be made. Below half of it, the window asks for high-quality images again. Visible items get the images of their own
        /// requests either way.
        ///
        /// By default this never happens: in replays, each cell whose image was made twice left another cell blank, in every
        /// delivery mode.
        public var cheapSpeed = Double.infinity

        /// Makes parameters; the defaults suit replays of all scenarios.
        public init() {}

        /// Makes parameters and lets `configure` change them.
        public init(_ configure: (inout Parameters) -> Void) {
            self.init()
            configure(&self)
        }
    }

    /// The number of rows that a view is assumed to pass per millisecond: about that of a hard fling.
    private static let rowsPerMillisecond = 0.025
    /// The urgency, in rows, that is added for a racing view, so that its items come after those of all other views: they are
    /// gone before anybody has looked.
    private static let racingRows = 0x1p40

    /// The parameters that the planner was made with.
    public let parameters: Parameters
    private var visible = VisibleItems()
    private var motion = ScrollMotion()
    private var reach = ScrollReach()
    private var window = ScrollWindow()
    private var supply: GridSupply?
    /// The urgency of the most urgent visible row so far, which is the lowest number.
    private var leastUrgency = 0.0
    private var isRacing = false
    private var allowsHighQuality = true

    /// Makes a planner that has seen no scroll yet.
    public init(parameters: Parameters = Parameters()) {
        self.parameters = parameters
    }

    public mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset) else { return [] }
        let step = motion.move(to: offset, at: time)
        let pixels = reach.update(for: motion, after: step, in: layout, supply: supply, parameters: parameters)
        let isDown = motion.direction == .down
        let screen = layout.screenLength
        let ahead = min(pixels, parameters.screensAhead * screen)
        let behind = ahead > 0 ? parameters.screensBehind * ahead / parameters.screensAhead : 0
        let items = layout.visibleItems(at: offset)
        let wanted = layout.items(
            from: offset - (isDown ? behind : ahead), to: offset + screen + (isDown ? ahead : behind))
        let wasRacing = isRacing
        isRacing = motion.isRacing(in: layout)
        let isNewOrder = step.isTurn || (wasRacing && !isRacing)
        return showVisible(items, isNewOrder: isNewOrder, in: layout, at: time) + switchQuality(in: layout)
            + window.move(to: wanted, around: items, going: motion.direction, at: time)
    }

    public mutating func contentsChanged() {
        visible = VisibleItems()
        window = ScrollWindow()
        motion.jump()
    }

    public mutating func supplyChanged(to supply: GridSupply) {
        self.supply = supply
    }

    private mutating func switchQuality(in layout: any ScrollLayout) -> [GridAction] {
        guard parameters.cheapSpeed.isFinite, let supply else { return [] }
        let bound = supply.pace(in: layout) * parameters.cheapSpeed
        let allows = motion.speed < (allowsHighQuality ? bound : bound / 2)
        guard allows != allowsHighQuality else { return [] }
        allowsHighQuality = allows
        return [.setAllowsHighQuality(allows)]
    }

    /// Requests the items that have become visible and cancels those that have left. The row nearest to the revealing edge is
    /// the most urgent; between the rows of two views, the one that appeared later is.
    ///
    /// - Parameter isNewOrder: whether items that stay are ranked anew as well.
    private mutating func showVisible(
        _ items: Range<Int>, isNewOrder: Bool, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction] {
        let stayed = visible.current.clamped(to: items)
        let (arrived, left) = visible.update(to: items)
        var actions = left.map { GridAction.cancel($0) }
        guard isNewOrder || !arrived.isEmpty else { return actions }
        let first = items.first.map(layout.line) ?? 0
        let last = items.last.map(layout.line) ?? 0
        func distance(_ item: Int) -> Double {
            motion.direction == .down ? last - layout.line(of: item) : layout.line(of: item) - first
        }
        var edge = -time.milliseconds(since: .zero) * Self.rowsPerMillisecond
        // If the view is faster than the assumed speed, its new rows still rank ahead of the rows that stay, one by one.
        if !isNewOrder, !stayed.isEmpty, let farthest = arrived.map(distance).max() {
            edge = min(edge, leastUrgency - farthest - 1)
        }
        leastUrgency = edge
        if isRacing { edge += Self.racingRows }
        if isNewOrder { actions += stayed.map { .setUrgency($0, edge + distance($0)) } }
        actions += arrived.map { .request($0, urgency: edge + distance($0)) }
        return actions
    }
}
