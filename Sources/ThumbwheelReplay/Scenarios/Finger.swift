import ThumbwheelCore
import ThumbwheelGrid

/// A simulated finger. It moves a viewport by flings and rests over contents that it may change, and records its movements and
/// changes.
struct Finger {
    enum Stop {
        /// The fling ends when it has slowed down to so many pixels per millisecond.
        case speed(Double)
        /// The fling ends after so many milliseconds, when the next touch comes.
        case milliseconds(Double)
    }

    /// The share of a fling's speed that is left after a millisecond: the usual deceleration of touch screens.
    private static let decay = 0.998
    private static let step = 4.0

    var generator: SeededGenerator
    /// The number of all assets.
    let assetCount: Int
    /// The time at which the present scenario is to end, in milliseconds.
    var end: Double
    private var laidOut: LaidOutContents
    private(set) var samples: [ScrollTrace.Sample]
    private(set) var events: [ScrollTrace.Event] = []
    private var direction = 1.0

    /// - Parameters:
    ///   - contents: the contents at the beginning.
    ///   - start: the position of the viewport at the beginning, in pixels.
    init(
        generator: SeededGenerator, contents: LaidOutContents, assetCount: Int, start: Double, end: Double
    ) {
        samples = [ScrollTrace.Sample(time: 0, offset: (start * 100).rounded(.down) / 100)]
        self.generator = generator
        self.assetCount = assetCount
        self.end = end
        laidOut = contents
        maximumOffset = contents.layout.maximumOffset
    }

    private(set) var maximumOffset: Double
    var time: Double { samples.last!.time }
    var offset: Double { samples.last!.offset }
    var isDone: Bool { time >= end }
    /// The items on the screen.
    var visibleItems: Range<Int> { laidOut.layout.visibleItems(at: offset) }
    var contents: GridContents { laidOut.contents }

    // MARK: Moving

    mutating func turn(probability: Double) {
        if generator.unit() < probability { direction = -direction }
        if offset <= 0 { direction = 1 }
        if offset >= maximumOffset { direction = -1 }
    }

    mutating func rest(milliseconds: Double) {
        move(to: min(time + milliseconds, end), offset: offset)
    }

    /// Moves at an even speed to an offset, or to the end of the grid if that comes first.
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
            // Offsets are rounded to hundredths of a pixel, which a trace file reproduces to the bit.
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

    // MARK: Changing what is shown

    mutating func edit(_ edit: ListEdit) {
        laidOut.apply(edit)
        events.append(ScrollTrace.Event(time: time, edit: edit))
        maximumOffset = laidOut.layout.maximumOffset
        if offset > maximumOffset { jump(to: maximumOffset) }
    }

    /// Moves the viewport to another place at once.
    mutating func jump(to offset: Double) {
        let offset = min(offset, maximumOffset)
        guard offset != self.offset else { return }
        samples.append(ScrollTrace.Sample(time: time, offset: offset))
        direction = 1
    }
}
