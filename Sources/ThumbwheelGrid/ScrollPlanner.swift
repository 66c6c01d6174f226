import ThumbwheelCore

/// The library's own way to keep a grid filled.
///
/// Visible items are asked for in order of their distance from the edge that the scroll reveals: those will be on screen
/// longest. What leaves is cancelled. Ahead and behind lies a window of items to be made ready, wider on the side the
/// scroll moves to, kept at rest: those ahead first, the nearest first, then those behind. It reaches as far as images must be
/// ready beforehand where they are made as fast as is measured and the scroll goes on as it does lately: not even half a
/// screen where they are made faster than any fling passes them, all that the parameters allow where it overtakes them.
///
/// Urgencies are rows, or items, and times, so those of several views over one manager compare, and as a view moves on
/// nothing has to be said again of what stays: a step takes time in proportion to what it reveals, a turn to the window.
public struct ScrollPlanner: GridPlanner {
    /// The bounds of the window, and what the planner expects of scrolls before it has seen any.
    public struct Parameters: Hashable, Sendable {
        /// The most that the window reaches in the direction of the scroll, in screens; so far it does before anything has
        /// been measured. With 0 here and behind there is none.
        public var screensAhead = 2.5
        /// The most that the window reaches against the direction of the scroll, in screens. It shrinks and grows as
        /// it does ahead.
        public var screensBehind = 1.5
        /// The least that the window reaches ahead, in screens.
        public var leastScreensAhead = 0.25
        /// The share of a fling's speed that is left after a millisecond; it predicts where the fling comes to rest.
        public var decelerationRate = 0.998
        /// The speed to be prepared for before any is known, in screens a second.
        public var topSpeed: Double = 5
        /// Seconds after which the fastest and the longest lately seen count half.
        public var halfLife: Double = 10
        /// The factor by which more is made ready than would do if all images took the same time.
        public var caution = 1.5
        /// The speed at which the window asks for fast images only, in multiples of the speed at which images can be
        /// made; it returns to good ones at half of that. Visible items get their own either way.
        ///
        /// Never, by default: in replays each cell that was made twice left another one blank, in every delivery
        /// mode.
        public var cheapSpeed = Double.infinity

        /// Makes parameters; the defaults suit replays of all scenarios.
        public init() {}

        /// Makes parameters and lets `configure` change them.
        public init(_ configure: (inout Parameters) -> Void) {
            self.init()
            configure(&self)
        }
    }

    /// Rows that a view passes in a millisecond, supposedly: about those of a hard fling.
    private static let rowsPerMillisecond = 0.025
    /// By which what a racing view shows comes behind all that others show: it is gone before anybody has looked.
    private static let racingRows = 0x1p40

    /// The parameters that the planner was made with.
    public let parameters: Parameters
    private var visible = VisibleItems()
    private var motion = ScrollMotion()
    private var reach = ScrollReach()
    private var window = ScrollWindow()
    private var supply: GridSupply?
    /// Of all that is visible.
    private var leastUrgency = 0.0
    private var isRacing = false
    private var allowsHighQuality = true

    /// Makes a planner that has seen no scroll yet.
    public init(parameters: Parameters = Parameters()) {
        self.parameters = parameters
    }

    public mutating func viewportMoved(
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset, itemCount: itemCount) else { return [] }
        let step = motion.move(to: offset, at: time)
        let pixels = reach.update(for: motion, after: step, in: layout, supply: supply, parameters: parameters)
        let isDown = motion.direction == .down
        let screen = Double(layout.viewport.height)
        let ahead = min(pixels, parameters.screensAhead * screen)
        let behind = ahead > 0 ? parameters.screensBehind * ahead / parameters.screensAhead : 0
        let items = layout.visibleItems(at: offset, itemCount: itemCount)
        let wanted = layout.items(
            from: offset - (isDown ? behind : ahead), to: offset + screen + (isDown ? ahead : behind),
            itemCount: itemCount)
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

    private mutating func switchQuality(in layout: GridLayout) -> [GridAction] {
        guard parameters.cheapSpeed.isFinite, let supply else { return [] }
        let bound = supply.pace(in: layout) * parameters.cheapSpeed
        let allows = motion.speed < (allowsHighQuality ? bound : bound / 2)
        guard allows != allowsHighQuality else { return [] }
        allowsHighQuality = allows
        return [.setAllowsHighQuality(allows)]
    }

    /// The row nearest to the revealing edge is the most urgent, and of two views' the one that has come later.
    ///
    /// - Parameter isNewOrder: whether what stays is ranked anew as well.
    private mutating func showVisible(
        _ items: Range<Int>, isNewOrder: Bool, in layout: GridLayout, at time: MonotonicTime
    ) -> [GridAction] {
        let stayed = visible.current.clamped(to: items)
        let (arrived, left) = visible.update(to: items)
        var actions = left.map { GridAction.cancel($0) }
        guard isNewOrder || !arrived.isEmpty else { return actions }
        let (first, last) = (layout.row(ofItem: items.lowerBound), layout.row(ofItem: items.upperBound - 1))
        func distance(_ item: Int) -> Double {
            Double(motion.direction == .down ? last - layout.row(ofItem: item) : layout.row(ofItem: item) - first)
        }
        var edge = -time.milliseconds(since: .zero) * Self.rowsPerMillisecond
        // A faster view's rows are as far from one another as they are.
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
