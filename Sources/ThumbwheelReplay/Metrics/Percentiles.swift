/// The usual percentiles of a distribution; all are 0 if it is empty.
public struct Percentiles: Sendable, Equatable, Codable {
    /// The median.
    public var p50 = 0.0
    /// The value that 95 % do not exceed.
    public var p95 = 0.0
    /// The value that 99 % do not exceed.
    public var p99 = 0.0
    /// The largest value.
    public var max = 0.0

    /// Makes the percentiles of a distribution by nearest rank, so that each is a value that occurred.
    public init(of values: [Double]) {
        let sorted = values.sorted()
        guard let last = sorted.last else { return }
        func rank(_ fraction: Double) -> Double {
            sorted[Swift.max(0, Int((fraction * Double(sorted.count)).rounded(.up)) - 1)].rounded(toPlaces: 3)
        }
        p50 = rank(0.50)
        p95 = rank(0.95)
        p99 = rank(0.99)
        max = last.rounded(toPlaces: 3)
    }
}

extension Double {
    /// Returns the number rounded for documents, without digits that are noise.
    package func rounded(toPlaces places: Int) -> Double {
        var factor = 1.0
        for _ in 0..<places { factor *= 10 }
        return (self * factor).rounded() / factor
    }
}
