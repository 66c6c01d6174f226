/// A histogram of durations. Each class counts the durations between two bounds, which are given in milliseconds.
public struct LatencyHistogram: Sendable, Equatable {
    /// The inclusive upper bounds of the classes, in milliseconds. One more class, the last, has no bound.
    public static let bounds: [Double] = [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]

    /// The number of durations in each class, in the order of `bounds`. The last number counts the durations beyond the
    /// last bound.
    public private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
    /// The sum of all durations, in milliseconds.
    public private(set) var totalMilliseconds = 0.0

    /// The number of all durations.
    public var count: Int { counts.reduce(0, +) }

    package init() {}

    static func += (left: inout LatencyHistogram, right: LatencyHistogram) {
        for index in left.counts.indices { left.counts[index] += right.counts[index] }
        left.totalMilliseconds += right.totalMilliseconds
    }

    mutating func record(milliseconds: Double, count: Int = 1) {
        counts[Self.bounds.firstIndex { milliseconds <= $0 } ?? Self.bounds.count] += count
        totalMilliseconds += milliseconds * Double(count)
    }
}
