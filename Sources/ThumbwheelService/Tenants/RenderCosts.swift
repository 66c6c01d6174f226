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

    /// The time that it takes to find that a picture cannot be made: what it took when that was first asked for. Where that is not
    /// known, it is the time of another picture of the same bytes, which a decoder that crashes makes fail together, or the mean of renders.
    ///
    /// - Parameters:
    ///   - content: The bytes in a number.
    ///   - passed: The time that it took now, perhaps because it was known.
    func cost(ofFailure picture: Int, of content: Int, after passed: Double) -> Double {
        state.withLock { state in
            if let known = state.costs[picture] { return Double(known) }
            let cost = state.costs[content].map(Double.init) ?? max(passed, state.mean)
            if state.costs.count >= Self.capacity { state.costs = [:] }
            state.costs[picture] = Float(cost)
            if state.costs[content] == nil { state.costs[content] = Float(cost) }
            return cost
        }
    }

    /// The time that a picture took; the mean of others if it was rendered before this process began.
    func cost(of picture: Int) -> Double { state.withLock { $0.costs[picture].map(Double.init) ?? $0.mean } }
}
