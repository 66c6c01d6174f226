import ThumbwheelLocks

/// Notes what a handler receives, in order, and lets a test wait for it.
package final class AnswerLog<Answer: Sendable>: Sendable {
    private struct State {
        var answers: [Answer] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var answers: [Answer] { state.withLock { $0.answers } }

    package func receive(_ answer: Answer) {
        let ready = state.withLock { state in
            state.answers.append(answer)
            let ready = state.watchers.filter { $0.count <= state.answers.count }
            state.watchers.removeAll { $0.count <= state.answers.count }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns when this many answers have come.
    @discardableResult
    package func wait(for count: Int = 1) async -> [Answer] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.answers.count < count { state.watchers.append((count, continuation)) }
                return state.answers.count >= count
            }
            if isThere { continuation.resume() }
        }
        return answers
    }
}
