import Thumbwheel
import ThumbwheelLocks

/// The names of requests, by which they are cancelled.
final class PHRequestNumbers: Sendable {
    private struct State {
        var last: PHImageRequestID = PHInvalidImageRequestID
        var live: [PHImageRequestID: ImageRequestID] = [:]
        // Requests that ended before their names were noted.
        var ended: Set<PHImageRequestID> = []
    }

    private let state = Mutex(State())

    /// A name that no request has had. After two thousand million requests, names are used again.
    func next() -> PHImageRequestID {
        state.withLock { state in
            state.last = state.last == .max ? 1 : state.last + 1
            return state.last
        }
    }

    /// Notes a request that has been submitted. It may have ended already, on another thread.
    func begin(_ id: PHImageRequestID, _ request: ImageRequestID) {
        state.withLock { state in
            if state.ended.remove(id) == nil { state.live[id] = request }
        }
    }

    /// Forgets a request that has ended.
    func end(_ id: PHImageRequestID) {
        state.withLock { state in
            if state.live.removeValue(forKey: id) == nil { state.ended.insert(id) }
        }
    }

    func request(_ id: PHImageRequestID) -> ImageRequestID? { state.withLock { $0.live[id] } }
}
