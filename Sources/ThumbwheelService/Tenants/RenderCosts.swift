import ThumbwheelLocks

/// How long pictures took to render, in milliseconds.
final class RenderCosts: Sendable {
    private static let capacity = 1 << 17

    private struct State {
        var costs: [Int: Float] = [:]
        /// The mean of the latest renders.
        var mean = 10.0
    }

    private let state = Mutex(State())

    func note(_ picture: Int, _ milliseconds: Double) {
        state.withLock { state in
            if state.costs.count >= Self.capacity { state.costs = [:] }
            state.costs[picture] = Float(milliseconds)
            state.mean += (milliseconds - state.mean) / 64
        }
    }

    /// The time that a picture took; the mean of others if it was rendered before this process began.
    func cost(of picture: Int) -> Double { state.withLock { $0.costs[picture].map(Double.init) ?? $0.mean } }
}
