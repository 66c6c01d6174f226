import ThumbwheelCore

/// The items that are to be ready, and their order: those ahead first, the nearest first, then those behind, likewise.
///
/// An item's urgency is the time at which it comes into the window, and how many others are nearer to the screen then: when
/// it is needed, if every view passed items at one and the same rate. So nothing has to be said again of what stays, a step
/// takes time in proportion to what it reveals, and the windows of several views are filled by turns.
struct ScrollWindow: Sendable {
    /// About those of a hard fling over four columns.
    private static let itemsPerMillisecond = 0.1
    /// Beyond the urgency of anything ahead.
    private static let baseBehind = 0x1p44

    /// In the order of the scroll, see `Range.along`. What is behind ends where what is ahead begins.
    private var ahead: Range<Int> = 0..<0
    private var behind: Range<Int> = 0..<0
    private var direction = ScrollMotion.Direction.down
    private var farthestAhead = 0.0
    private var nearestBehind = 0.0
    private var farthestBehind = 0.0

    /// - Parameters:
    ///   - wanted: the items that are to be ready from now on.
    ///   - visible: those on the screen. They count as ahead: they are wanted first, and held while they are seen.
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
    /// An item's number where the scroll goes to greater numbers, and back.
    fileprivate func along(_ direction: ScrollMotion.Direction) -> Int { direction == .down ? self : -self }
}

extension Range<Int> {
    /// The items as they are numbered where the scroll goes to greater numbers, and back.
    fileprivate func along(_ direction: ScrollMotion.Direction) -> Range {
        direction == .down ? self : (1 - upperBound)..<(1 - lowerBound)
    }

    fileprivate func subtracting(_ other: Range) -> [Range] {
        let other = clamped(to: other).isEmpty ? lowerBound..<lowerBound : clamped(to: other)
        return [lowerBound..<other.lowerBound, other.upperBound..<upperBound].filter { !$0.isEmpty }
    }
}
