import ThumbwheelLocks

/// A closure that the watching thread calls. It is set after the thread has started.
final class Heartbeat: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    func send() { body.withLock { $0 }?() }
}
