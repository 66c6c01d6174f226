import Foundation

/// The scale of a time axis on which one frame, a tenth of a second and ten seconds can all be seen: a logarithm that begins at
/// 0.
struct LatencyScale: Sendable {
    /// The length of a frame in milliseconds. There the scale turns from linear to logarithmic, because nobody sees a time
    /// shorter than a frame.
    let frameMilliseconds: Double
    let maximum: Double

    init(framesPerSecond: Double, longest: Double) {
        frameMilliseconds = framesPerSecond.isFinite && framesPerSecond > 0 ? 1000 / framesPerSecond : 1000 / 60
        maximum = Self.marks.map(\.milliseconds).first { $0 >= max(longest, 100) } ?? longest
    }

    /// Returns the position of a latency on the axis, from 0 to 1.
    func position(_ milliseconds: Double) -> Double {
        log1p(milliseconds / frameMilliseconds) / log1p(maximum / frameMilliseconds)
    }

    func milliseconds(at position: Double) -> Double {
        frameMilliseconds * expm1(position * log1p(maximum / frameMilliseconds))
    }

    var ticks: [PlotTick] {
        var marks = Self.marks.filter { $0.milliseconds <= maximum && $0.milliseconds >= 2 * frameMilliseconds }
        marks.insert((frameMilliseconds, "1 frame", true), at: 0)
        marks.insert((0, "0", true), at: 0)
        return marks.map { PlotTick(position: position($0.milliseconds), label: $0.label, isMajor: $0.isMajor) }
    }

    private static let marks: [(milliseconds: Double, label: String, isMajor: Bool)] = [
        (50, "50 ms", false), (100, "100 ms", true), (250, "250 ms", false), (500, "500 ms", false),
        (1000, "1 s", true),
        (2000, "2 s", false), (5000, "5 s", false), (10_000, "10 s", true), (30_000, "30 s", false),
        (60_000, "1 min", true), (300_000, "5 min", false), (900_000, "15 min", true), (3_600_000, "1 h", true),
    ]
}
