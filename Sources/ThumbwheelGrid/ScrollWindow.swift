import ThumbwheelCore

/// The items of a caching window and their order: first the items ahead of the scroll, then those behind it, on both
/// sides the nearest first.
///
/// The urgency of an item ahead is the time at which it enters the window, measured in items (`itemsPerMillisecond`),
/// plus the number of items that are nearer to the screen then. So it predicts when the item is needed, if all views
/// pass items at the same rate. Items that stay keep their urgency, a move takes time in proportion to the items that
/// appear, and several views fill their windows in turns.
struct ScrollWindow: Sendable {
    /// The assumed number of items that a view passes per millisecond, as in a hard fling over four columns.
    private static let itemsPerMillisecond = 0.1
    /// The urgencies of items behind the scroll are near this number, which is greater than the urgency of any item
    /// ahead.
    private static let baseBehind = 0x1p44

    /// The items ahead and behind, numbered in the direction of the scroll (`Range.along`). `behind` ends where `ahead`
    /// begins.
    private var ahead: Range<Int> = 0..<0
    private var behind: Range<Int> = 0..<0
    private var direction = ScrollMotion.Direction.down
    private var farthestAhead = 0.0
    private var nearestBehind = 0.0
    private var farthestBehind = 0.0

    /// - Parameters:
    ///   - wanted: the items to prepare from now on.
    ///   - visible: the items on the screen. They count as ahead: they are prepared first, and stay in the window while
    ///     they are visible.
    mutating func move(
        to wanted: Range<Int>, around visible: Range<Int>, going direction: ScrollMotion.Direction,
        at time: MonotonicTime
    ) -> [GridAction] {
        let left = (behind.lowerBound..<ahead.upperBound).along(self.direction).subtracting(wanted)
        let wanted = wanted.along(direction)
        let edge = visible.along(direction).lowerBound
        let goesOn = direction == self.direction && (ahead.lowerBound..<ahead.upperBound).contains(edge)
        self.direction = direction
        if !goesOn { (ahead, behind) = (edge..<edge, edge..<edge) }
        let arrivedAhead = ahead.upperBound..<max(ahead.upperBound, wanted.upperBound)
        let arrivedNear = max(behind.upperBound, min(edge, wanted.lowerBound))..<edge
        let arrivedFar = min(behind.lowerBound, wanted.lowerBound)..<behind.lowerBound
        ahead = edge..<max(edge, wanted.upperBound)
        behind = min(edge, wanted.lowerBound)..<edge

        let now = time.milliseconds(since: .zero) * Self.itemsPerMillisecond
        var actions = left.map { GridAction.stopCaching(Array($0)) }
        if !arrivedAhead.isEmpty {
            let due = now + Double(arrivedAhead.lowerBound - edge)
            let first = goesOn ? max(due, farthestAhead + 1) : due
            farthestAhead = first + Double(arrivedAhead.count - 1)
            actions.append(.startCaching(arrivedAhead.map { $0.along(direction) }, urgency: first))
        }
        if !goesOn {
            nearestBehind = Self.baseBehind - now
            farthestBehind = nearestBehind - 1
        }
        if !arrivedNear.isEmpty {
            nearestBehind = min(Self.baseBehind - now, nearestBehind - Double(arrivedNear.count))
            actions.append(.startCaching(arrivedNear.reversed().map { $0.along(direction) }, urgency: nearestBehind))
        }
        if !arrivedFar.isEmpty {
            actions.append(
                .startCaching(arrivedFar.reversed().map { $0.along(direction) }, urgency: farthestBehind + 1))
            farthestBehind += Double(arrivedFar.count)
        }
        return actions
    }
}

extension Int {
    /// The item's number in the direction of the scroll, which is negative if the scroll goes up. A second call gives
    /// the original number.
    fileprivate func along(_ direction: ScrollMotion.Direction) -> Int { direction == .down ? self : -self }
}

extension Range<Int> {
    /// The items in the direction of the scroll; their numbers are negative if the scroll goes up. A second call gives
    /// the original range.
    fileprivate func along(_ direction: ScrollMotion.Direction) -> Range {
        direction == .down ? self : (1 - upperBound)..<(1 - lowerBound)
    }

    fileprivate func subtracting(_ other: Range) -> [Range] {
        let other = clamped(to: other).isEmpty ? lowerBound..<lowerBound : clamped(to: other)
        return [lowerBound..<other.lowerBound, other.upperBound..<upperBound].filter { !$0.isEmpty }
    }
}
