import ThumbwheelLocks

/// A call that is set later than the thread is started that makes it.
final class Heartbeat: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    func send() { body.withLock { $0 }?() }
}
