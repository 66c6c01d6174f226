import Foundation
import ThumbwheelCore

/// The speed and the direction of a view, computed from its positions and their times.
struct ScrollMotion: Sendable {
    enum Direction {
        case down, up
    }

    /// The movement of a view between two of its positions.
    struct Step {
        var pixels = 0.0
        var milliseconds = 0.0
        var isTurn = false
    }

    /// The time over which the speed is averaged, in milliseconds: one or two frames.
    private static let averagedMilliseconds = 20.0
    private static let racingMilliseconds = 70.0

    private(set) var direction = Direction.down
    /// The speed in pixels per millisecond, whatever the direction.
    private(set) var speed = 0.0
    private var last: (offset: Double, time: MonotonicTime)?

    mutating func move(to offset: Double, at time: MonotonicTime) -> Step {
        let before = (direction: direction, place: last)
        last = (offset, time)
        guard let place = before.place else {
            // At the top of the grid, the view can only go down.
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

    /// Whether the view moves so fast that the visible items leave the screen within 70 milliseconds.
    func isRacing(in layout: any ScrollLayout) -> Bool {
        speed * Self.racingMilliseconds >= layout.screenLength
    }

    /// Makes the next position count as a new start and not as a movement. The direction is kept, because the user may
    /// go on scrolling while the library changes.
    mutating func jump() {
        last = nil
        speed = 0
    }
}
