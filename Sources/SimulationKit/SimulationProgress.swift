/// What a simulation says of how far it has come, and how often.
package struct SimulationProgress: Sendable {
    private let total: Int
    private let interval: Duration
    private var next = Duration.zero
    private var done = 0

    /// - Parameters:
    ///   - total: how many histories there are to be.
    ///   - interval: the shortest time between two lines.
    package init(total: Int, every interval: Duration) {
        self.total = total
        self.interval = interval
    }

    /// A line for people; nil where the last one was not long ago.
    ///
    /// - Parameters:
    ///   - done: how many histories have been taken up; of what threads report out of order the most counts.
    ///   - elapsed: since the first of them.
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
