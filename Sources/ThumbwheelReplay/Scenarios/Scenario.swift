import ThumbwheelCore
import ThumbwheelGrid

/// What the finger does.
public enum Scenario: String, Sendable, CaseIterable {
    /// Flicks around 1.5 px/ms, pauses to look, a quarter of them back.
    case gentle
    /// Flicks around 4 px/ms.
    case brisk
    /// Chained flings around 9 px/ms.
    case hard
    /// Drags the scroll bar: jumps of thousands of rows, settling after each.
    case scrub
    /// Far down, then straight back to the top.
    case boomerang
    /// A long scan at full speed, then home to where it began.
    case flyby

    /// The scroll that this seed gives, the same on every machine.
    public func trace(seed: UInt64, layout: GridLayout, itemCount: Int, seconds: Double) -> ScrollTrace {
        var finger = Finger(
            generator: SeededGenerator(seed: seed), maximumOffset: layout.maximumOffset(itemCount: itemCount),
            end: seconds * 1000)
        finger.rest(milliseconds: 800)
        while !finger.isDone {
            switch self {
            case .gentle:
                finger.turn(probability: 0.25)
                finger.fling(speeds: 0.8...2.2, until: .speed(0.1))
                finger.rest(milliseconds: finger.generator.value(in: 300...1500))
            case .brisk:
                finger.turn(probability: 0.15)
                finger.fling(speeds: 2.5...5.5, until: .speed(0.3))
                finger.rest(milliseconds: finger.generator.value(in: 50...500))
            case .hard:
                finger.turn(probability: 0.1)
                finger.fling(speeds: 7...11, until: .milliseconds(finger.generator.value(in: 150...500)))
            case .scrub:
                finger.drag(to: finger.generator.unit() * finger.maximumOffset, milliseconds: 350)
                finger.rest(milliseconds: finger.generator.value(in: 400...1600))
            case .boomerang:
                let milliseconds = finger.generator.value(in: 3000...6000)
                let depth = milliseconds * finger.generator.value(in: 2...4)
                finger.drag(to: depth, milliseconds: milliseconds)
                finger.rest(milliseconds: finger.generator.value(in: 200...600))
                finger.drag(to: 0, milliseconds: milliseconds)
                finger.rest(milliseconds: finger.generator.value(in: 200...600))
            case .flyby:
                let home = finger.offset
                let milliseconds = finger.generator.value(in: 2000...4000)
                finger.drag(to: home + 9 * milliseconds, milliseconds: milliseconds)
                finger.rest(milliseconds: finger.generator.value(in: 100...300))
                finger.drag(to: home, milliseconds: milliseconds / 2)
                finger.rest(milliseconds: finger.generator.value(in: 800...2000))
                // Looks on from there: the next scan begins a little farther down.
                finger.fling(speeds: 1...2, until: .speed(0.1))
            }
        }
        return ScrollTrace(layout: layout, samples: finger.samples)
    }
}

/// Moves a viewport by flings and rests, and writes down where it is.
private struct Finger {
    enum Stop {
        /// When it has slowed down to so many pixels a millisecond.
        case speed(Double)
        /// When the next touch comes.
        case milliseconds(Double)
    }

    /// What is left of a fling's speed after a millisecond: the usual deceleration of touch screens.
    static let decay = 0.998
    static let step = 4.0

    var generator: SeededGenerator
    let maximumOffset: Double
    let end: Double
    private(set) var samples = [ScrollTrace.Sample(time: 0, offset: 0)]
    private var direction = 1.0

    init(generator: SeededGenerator, maximumOffset: Double, end: Double) {
        self.generator = generator
        self.maximumOffset = maximumOffset
        self.end = end
    }

    private var time: Double { samples.last!.time }
    var offset: Double { samples.last!.offset }
    var isDone: Bool { time >= end }

    mutating func turn(probability: Double) {
        if generator.unit() < probability { direction = -direction }
        if offset <= 0 { direction = 1 }
        if offset >= maximumOffset { direction = -1 }
    }

    mutating func rest(milliseconds: Double) {
        move(to: min(time + milliseconds, end), offset: offset)
    }

    /// Moves at an even speed to an offset, or to the grid's end where that lies before it.
    mutating func drag(to target: Double, milliseconds: Double) {
        let start = samples.last!
        let target = min(max(target, 0), maximumOffset)
        while !isDone, time < start.time + milliseconds {
            let next = min(time + Self.step, start.time + milliseconds, end)
            let offset = start.offset + (target - start.offset) * (next - start.time) / milliseconds
            move(to: next, offset: min((offset * 100).rounded() / 100, maximumOffset))
        }
    }

    mutating func fling(speeds: ClosedRange<Double>, until stop: Stop) {
        var speed = generator.value(in: speeds)
        var decayed = 1.0
        for _ in 0..<Int(Self.step) { decayed *= Self.decay }
        var left = Double.infinity
        if case .milliseconds(let milliseconds) = stop { left = milliseconds }
        while !isDone, left > 0 {
            if case .speed(let slowest) = stop, speed < slowest { break }
            let next = min(max(offset + direction * speed * Self.step, 0), maximumOffset)
            let isAtEdge = next == 0 || next == maximumOffset
            // Hundredths of a pixel: what a trace file says again to the bit.
            move(to: min(time + Self.step, end), offset: min((next * 100).rounded() / 100, maximumOffset))
            if isAtEdge { break }
            speed *= decayed
            left -= Self.step
        }
    }

    private mutating func move(to time: Double, offset: Double) {
        guard time > self.time else { return }
        samples.append(ScrollTrace.Sample(time: time, offset: offset))
    }
}
