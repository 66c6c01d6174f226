import ThumbwheelLocks
import ThumbwheelPipeline

import struct Synchronization.Atomic

/// The live media requests of a manager: those for movies, Live Photos and export sessions. Their work is not done by
/// the pipeline.
final class MediaRequests: Sendable {
    private struct State {
        var live: [ImageRequestID: MediaRequest] = [:]
        var isClosed = false
        /// The callers of `waitUntilEmpty`, which are resumed when no request is live.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    // The number of live requests. It is atomic and not protected by the lock, because every cancellation of an image
    // request reads it.
    private let count = Atomic(0)

    /// Adds a request; cancels it at once if the manager is closed.
    func add(_ request: MediaRequest) {
        let isClosed = state.withLock { state in
            if !state.isClosed {
                state.live[request.info.requestID] = request
                count.store(state.live.count, ordering: .releasing)
            }
            return state.isClosed
        }
        if isClosed { request.cancel() }
    }

    func remove(_ id: ImageRequestID) {
        let (removed, waiting) = state.withLock { state in
            let removed = state.live.removeValue(forKey: id)
            count.store(state.live.count, ordering: .releasing)
            guard state.live.isEmpty else { return (removed, [] as [CheckedContinuation<Void, Never>]) }
            defer { state.waiting = [] }
            return (removed, state.waiting)
        }
        // Releases the request only now, after the lock is released. The request may hold the last references to
        // objects of the program that uses this library, and destroying such objects runs code of the program.
        _ = consume removed
        for continuation in waiting { continuation.resume() }
    }

    /// Cancels a request.
    ///
    /// - Returns: whether a live request has this identifier.
    func cancel(_ id: ImageRequestID) -> Bool {
        guard count.load(ordering: .acquiring) > 0, let request = state.withLock({ $0.live[id] }) else { return false }
        request.cancel()
        return true
    }

    func cancelAll() {
        let live = state.withLock { $0.live.values.sorted { $0.info.requestID < $1.info.requestID } }
        for request in live { request.cancel() }
    }

    /// Lets new requests end as cancelled at once.
    func close() { state.withLock { $0.isClosed = true } }

    /// Returns when no request is live.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.live.isEmpty { state.waiting.append(continuation) }
                return state.live.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }

    /// The number of live requests.
    var liveCount: Int { count.load(ordering: .acquiring) }
}
