import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelService

/// A request and its response on their way through the server.
final class Exchange: Sendable {
    /// The stages of a request.
    enum Stage {
        /// Its first line has come.
        case begun
        /// Its header has come, and perhaps a part of its body.
        case receiving
        /// It waits for its response; the connection is suspended.
        case waiting
        /// The response is there.
        case answered
    }

    struct State {
        var stage = Stage.begun
        var method = ""
        var body: [UInt8] = []
        /// The most bytes of a body that are kept.
        var bodyLimit = 0
        var response: ServiceResponse?
    }

    let target: String
    let start = MonotonicTime.now
    let peer: Peer?
    let state = Mutex(State())

    init(target: String, peer: Peer?) {
        (self.target, self.peer) = (target, peer)
    }

    /// The record of the request, now that it is over.
    func record(isComplete: Bool) -> AccessRecord {
        let (method, response) = state.withLock { ($0.method, $0.response) }
        let isAbandoned = response?.notes.isAbandoned ?? true
        return AccessRecord(
            method: method, target: AccessRecord.loggable(target), status: isAbandoned ? 0 : response?.status ?? 0,
            byteCount: isAbandoned || method == "HEAD" ? 0 : response?.body.byteCount ?? 0,
            milliseconds: MonotonicTime.now.milliseconds(since: start), isComplete: isComplete,
            notes: response?.notes ?? ServiceNotes())
    }
}
