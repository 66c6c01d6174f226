import ThumbwheelCore

/// The library's own planner. It suits any layout.
///
/// - Visible items are requested in the order of their distance from the edge at which items appear, because the items
///   at that edge stay on the screen longest. Requests of items that leave the screen are cancelled.
/// - Ahead of the screen and behind it lies the caching window, whose items are prepared: first the items ahead, then
///   those behind, on both sides the nearest first. The window is wider in the direction of the scroll, and does not
///   change while the view rests.
/// - The length of the window follows from the speed at which images are made and from recent scrolls. If images are
///   made faster than any fling passes them, it is less than half a screen. If a fling is faster, it is up to the
///   limits in the parameters.
///
/// Urgencies are computed from distances and from times, so that the urgencies of several views with one manager can be
/// compared. Items that stay keep their urgency. So a move takes time in proportion to the items that appear, and a
/// change of direction in proportion to the window.
public struct ScrollPlanner: GridPlanner {
    /// The bounds of the window, and assumptions about scrolls before the planner has seen any.
    public struct Parameters: Hashable, Sendable {
        /// The longest reach of the window in the direction of the scroll, in screens. The window has this reach until
        /// the speed of images is known. If this and `screensBehind` are 0, there is no window.
        public var screensAhead = 2.5
        /// The longest reach of the window against the direction of the scroll, in screens. This side changes in
        /// proportion to the side ahead.
        public var screensBehind = 1.5
        /// The shortest reach of the window in the direction of the scroll, in screens.
        public var leastScreensAhead = 0.25
        /// The fraction of a fling's speed that is left after a millisecond. It predicts where a fling comes to rest.
        public var decelerationRate = 0.998
        /// The assumed top speed before any scroll has been seen, in screens per second.
        public var topSpeed: Double = 5
        /// The half-life, in seconds, of the highest speed seen and of the farthest distance by which the view was
        /// ahead of the images. After this time, each of them counts only half.
        public var halfLife: Double = 10
        /// The safety factor of the window's length, compared with the length that would be enough if all images took
        /// the same time.
        public var caution = 1.5
        /// The scroll speed from which on the window prepares only fast images, in multiples of the speed at which
        /// images can be made. Below half of it, the window prepares high-quality images again. Visible items always
        /// get the images of their own requests.
        ///
        /// By default this never happens. In replays with a finite value, some images were made twice, and each of them
        /// left another cell blank.
        public var cheapSpeed = Double.infinity

        /// Makes parameters; the defaults suit replays of all scenarios.
        public init() {}

        /// Makes parameters and lets `configure` change them.
        public init(_ configure: (inout Parameters) -> Void) {
            self.init()
            configure(&self)
        }
    }

    /// The assumed number of rows that a view passes per millisecond, as in a hard fling.
    private static let rowsPerMillisecond = 0.025
    /// The number that is added to the urgencies of a view that scrolls extremely fast, in rows. Its items are then
    /// served after those of all other views, because they leave the screen before anybody can look at them.
    private static let racingRows = 0x1p40

    /// The parameters that the planner was made with.
    public let parameters: Parameters
    private var visible = VisibleItems()
    private var motion = ScrollMotion()
    private var reach = ScrollReach()
    private var window = ScrollWindow()
    private var supply: GridSupply?
    /// The smallest urgency of a visible row so far, which is that of the most urgent row.
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

    /// Requests the items that have become visible, and cancels those that have left. The row nearest to the edge at
    /// which rows appear is the most urgent. Between rows of two views, the one that appeared later is.
    ///
    /// - Parameter isNewOrder: whether items that stay get new urgencies too.
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
        // If the view is faster than the assumed speed, the new rows still need smaller urgencies than all rows that
        // stay.
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
