import ThumbwheelCore
import ThumbwheelLocks

/// The names of requests, by which they are cancelled.
final class PHRequestNumbers: Sendable {
    private struct State {
        var last: PHImageRequestID = PHInvalidImageRequestID
        var live: [PHImageRequestID: CancellationToken] = [:]

        /// A name that no request has had. After two thousand million requests, names are used again.
        mutating func next() -> PHImageRequestID {
            last = last == .max ? 1 : last + 1
            return last
        }
    }

    private let state = Mutex(State())

    /// A name for a request that cannot be cancelled.
    func next() -> PHImageRequestID { state.withLock { $0.next() } }

    /// A name for a request, and the token that the request must be submitted with. The name can cancel the request from now
    /// on: a handler may know it from a result before the call that submits the request has returned.
    func begin() -> (PHImageRequestID, CancellationToken) {
        let token = CancellationToken()
        return state.withLock { state in
            let id = state.next()
            state.live[id] = token
            return (id, token)
        }
    }

    /// Forgets a request that has ended.
    func end(_ id: PHImageRequestID) { _ = state.withLock { $0.live.removeValue(forKey: id) } }

    /// Cancels a request; does nothing if it has ended.
    func cancel(_ id: PHImageRequestID) { state.withLock { $0.live[id] }?.cancel() }
}
