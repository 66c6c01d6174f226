import Foundation
import ThumbwheelCore

/// How a view moves, as far as where it was and when tells.
struct ScrollMotion: Sendable {
    enum Direction {
        case down, up
    }

    /// What a look at the view told.
    struct Step {
        var pixels = 0.0
        var milliseconds = 0.0
        var isTurn = false
    }

    /// Over which the speed is averaged: a frame or two.
    private static let averagedMilliseconds = 20.0
    private static let racingMilliseconds = 70.0

    private(set) var direction = Direction.down
    /// Pixels a millisecond, either way.
    private(set) var speed = 0.0
    private var last: (offset: Double, time: MonotonicTime)?

    mutating func move(to offset: Double, at time: MonotonicTime) -> Step {
        let before = (direction: direction, place: last)
        last = (offset, time)
        guard let place = before.place else {
            // From the top there is one way only.
            if offset <= 0 { direction = .down }
            return Step(isTurn: direction != before.direction)
        }
        var step = Step(pixels: abs(offset - place.offset), milliseconds: max(0, time.milliseconds(since: place.time)))
        if step.milliseconds > 0 {
            let share = 1 - exp(-step.milliseconds / Self.averagedMilliseconds)
            speed += share * (step.pixels / step.milliseconds - speed)
        }
        if offset != place.offset { direction = offset > place.offset ? .down : .up }
        step.isTurn = direction != before.direction
        return step
    }

    /// Whether the view is on its way to somewhere else: what is on the screen is gone in a few frames.
    func isRacing(in layout: GridLayout) -> Bool {
        speed * Self.racingMilliseconds >= Double(layout.viewport.height)
    }

    /// The next place is no movement from the last. The direction is kept: a finger goes on where a library changes.
    mutating func jump() {
        last = nil
        speed = 0
    }
}
