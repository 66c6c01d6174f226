import CMicroHTTPD
import Glibc
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
        /// Whether the target goes on behind a NUL, at which `target` ends.
        var isCutShort = false
        var body: [UInt8] = []
        /// The most bytes of a body that are kept.
        var bodyLimit = 0
        /// The bytes of the body that have come, kept or not.
        var receivedByteCount = 0
        /// Whether the bodies of all requests together left no room for this one's.
        var isCrowdedOut = false
        var response: ServiceResponse?
        /// Whether the response was handed over to be sent.
        var isQueued = false
        /// The bytes of the body that a stream has handed over.
        var streamedByteCount = 0
        /// The bytes that the client had acknowledged on this connection before the response.
        var acknowledgedBefore: Int?
    }

    let target: String
    /// The address at which the request's version stands in memory if the target has no NUL.
    let versionAddress: UInt
    let start = MonotonicTime.now
    let peer: Peer?
    let state = Mutex(State())

    /// - Parameter target: The target in libmicrohttpd's memory, where the request's version follows it.
    init(target: UnsafePointer<CChar>, peer: Peer?) {
        (self.target, self.peer) = (String(cString: target), peer)
        versionAddress = UInt(bitPattern: target) + UInt(strlen(target)) + 1
    }

    func countStreamed(_ byteCount: Int) { state.withLock { $0.streamedByteCount += byteCount } }

    /// The bytes of the body that the client has been sent; none of a response that was never on its way. Of one that was
    /// broken off, these are the bytes that the client has acknowledged, and all where the system does not tell them.
    func sentByteCount(isComplete: Bool) -> Int {
        let (method, response, isQueued, streamed, before) = state.withLock {
            ($0.method, $0.response, $0.isQueued, $0.streamedByteCount, $0.acknowledgedBefore)
        }
        guard let response, isQueued, !response.notes.isAbandoned, method != "HEAD" else { return 0 }
        guard let whole = response.body.byteCount else { return streamed }
        guard !isComplete, let before, let peer else { return whole }
        let acknowledged = tw_acknowledged(peer.descriptor)
        return acknowledged < 0 ? whole : min(whole, max(0, acknowledged - before))
    }

    /// The record of the request, now that it is over.
    func record(isComplete: Bool, sentByteCount: Int) -> AccessRecord {
        let (method, response) = state.withLock { ($0.method, $0.response) }
        let isAbandoned = response?.notes.isAbandoned ?? true
        return AccessRecord(
            method: method, target: AccessRecord.loggable(target), status: isAbandoned ? 0 : response?.status ?? 0,
            byteCount: sentByteCount,
            milliseconds: MonotonicTime.now.milliseconds(since: start), isComplete: isComplete,
            notes: response?.notes ?? ServiceNotes())
    }
}
