/// A simulation's reports of its progress, at most one in each interval.
package struct SimulationProgress: Sendable {
    private let total: Int
    private let interval: Duration
    private var next = Duration.zero
    private var done = 0

    /// - Parameters:
    ///   - total: the number of histories to simulate.
    ///   - interval: the shortest time between two lines.
    package init(total: Int, every interval: Duration) {
        self.total = total
        self.interval = interval
    }

    /// A line for people; nil if the last line is too recent.
    ///
    /// - Parameters:
    ///   - done: the number of histories that have been taken up. Threads may report out of order; the highest number
    ///     counts.
    ///   - elapsed: the time since the first history began.
    package mutating func text(done: Int, after elapsed: Duration) -> String? {
        self.done = max(self.done, done)
        guard elapsed >= next else { return nil }
        next = elapsed + interval
        let seconds = elapsed / .seconds(1)
        guard self.done > 0, seconds > 0 else { return "\(self.done) of \(total) histories" }
        let rate = Double(self.done) / seconds
        let left = Double(total - self.done) / rate
        return "\(self.done) of \(total) histories, \(Int(rate.rounded())) a second, \(Int(left.rounded(.up))) s left"
    }
}
