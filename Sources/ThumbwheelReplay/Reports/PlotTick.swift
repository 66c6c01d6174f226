/// A place on an axis that has a label and a line.
struct PlotTick: Sendable {
    /// The position along the axis, from 0 to 1.
    var position: Double
    var label: String
    /// Whether the tick keeps its label on a narrow screen.
    var isMajor = true
}

extension PlotTick {
    /// Returns ticks at round times along a run.
    static func times(upTo seconds: Double) -> [PlotTick] {
        guard seconds > 0, seconds.isFinite else { return [PlotTick(position: 0, label: "0 s")] }
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]
        let step = steps.first { seconds / $0 <= 10 } ?? seconds / 10
        return (0...Int(seconds / step + 1e-9)).map { number in
            let time = Double(number) * step
            return PlotTick(
                position: time / seconds, label: FigureFormat.seconds(time), isMajor: number.isMultiple(of: 2))
        }
    }

    /// Returns ticks at round byte counts, at distances of a power of two.
    static func bytes(upTo count: Int) -> [PlotTick] {
        guard count > 0 else { return [PlotTick(position: 0, label: "0")] }
        var step = 1
        while count / step > 5 { step *= 2 }
        return stride(from: 0, through: count, by: step).map { bytes in
            PlotTick(
                position: Double(bytes) / Double(count), label: bytes == 0 ? "0" : FigureFormat.bytes(bytes))
        }
    }

    /// Returns the next number that is 1, 2, 4 or 8 times a power of ten. All these numbers have a quarter that reads well.
    static func roundedUp(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return 4 }
        var power = 1.0
        while power * 8 < value * 1.04 { power *= 10 }
        while power > value { power /= 10 }
        return [1, 2, 4, 8].map { $0 * power }.first { $0 >= value * 1.04 } ?? 10 * power
    }
}
