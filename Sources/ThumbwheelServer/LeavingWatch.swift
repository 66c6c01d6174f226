import CMicroHTTPD
import Glibc
import ThumbwheelCore
import ThumbwheelLocks

/// Notices that clients leave whose connections are suspended: the server does not look at those. It has an epoll and a thread
/// of its own, which also calls a closure about once a second.
final class LeavingWatch: Sendable {
    private struct State {
        var handlers: [UInt64: @Sendable () -> Void] = [:]
        var isStopped = false
    }

    private let poll: Int32
    private let wake: Int32
    private let state = Mutex(State())

    /// - Parameter tick: Called about once a second.
    init(tick: @escaping @Sendable () -> Void) throws(ServerError) {
        poll = tw_poll_make()
        wake = tw_wake_make()
        guard poll >= 0, wake >= 0, tw_poll_add_wake(poll, wake) == 0 else { throw .noResources }
        guard DetachedThread.start(named: "thumbwheel-watch", { [self] in run(tick) }) else { throw .noResources }
    }

    deinit {
        close(poll)
        close(wake)
    }

    /// Has `handler` called, at most once, when the client of a connection closes it or shuts down its side.
    ///
    /// - Parameter number: Not 0, and no other watched connection's.
    func watch(_ descriptor: Int32, _ number: UInt64, handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.handlers[number] = handler }
        // Without room for another descriptor, the client is found to have left when it is answered.
        _ = tw_poll_add_leaving(poll, descriptor, number)
    }

    /// Stops watching a connection. Its descriptor must still be open.
    func unwatch(_ descriptor: Int32, _ number: UInt64) {
        let handler = state.withLock { $0.handlers.removeValue(forKey: number) }
        _ = tw_poll_remove(poll, descriptor)
        // The handler is released here, outside the lock.
        _ = handler
    }

    /// The number of connections that are watched.
    var count: Int { state.withLock { $0.handlers.count } }

    /// Acts as if all watched clients had left.
    func sendAllAway() {
        let handlers = state.withLock { state in
            defer { state.handlers = [:] }
            return state.handlers
        }
        for handler in handlers.values { handler() }
    }

    /// Ends the thread.
    func stop() {
        state.withLock { $0.isStopped = true }
        tw_wake(wake)
    }

    private func run(_ tick: () -> Void) {
        var numbers = Array(repeating: UInt64(0), count: 64)
        var lastTick = Peer.now
        while !state.withLock({ $0.isStopped }) {
            let count = tw_poll_wait(poll, &numbers, 1000)
            for number in numbers.prefix(Int(count)) {
                let handler = state.withLock { $0.handlers.removeValue(forKey: number) }
                handler?()
            }
            if Peer.now - lastTick >= 1000 {
                lastTick = Peer.now
                tick()
            }
        }
    }
}
