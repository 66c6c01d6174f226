import ThumbwheelLocks

/// Whether the service is ready for clients.
final class Readiness: Sendable {
    private let state = Mutex(false)

    func set(_ isReady: Bool) { state.withLock { $0 = isReady } }

    var isReady: Bool { state.withLock { $0 } }
}
