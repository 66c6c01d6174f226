import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// The handler of one observation. It is called with one value at a time, until `stop` is called.
///
/// A call first registers itself under the lock and then enters the handler. `stop` can wait for a registered call to
/// end. It waits only for a limited time, because the handler may itself be waiting for the thread that calls `stop`.
/// This time is many times longer than a thread needs to get from the lock into the handler. So after `stop` has waited
/// and returned, a call could enter the handler only if its thread had been suspended between the lock and the handler
/// for all this time.
final class ObserverCalls<Value: Sendable>: Sendable {
    typealias Handler = @Sendable (Value) -> Void

    private struct Running: Sendable {
        let thread: ObjectIdentifier
        let end: DispatchGroup
    }

    private struct State {
        var handler: Handler?
        var running: Running?
    }

    private static var patience: DispatchTimeInterval { .seconds(1) }

    private let state: Mutex<State>

    init(_ handler: @escaping Handler) {
        state = Mutex(State(handler: handler))
    }

    /// Calls the handler, unless `stop` has been called. Two calls must not run at the same time.
    func call(with value: Value) {
        let end = DispatchGroup()
        let running = Running(thread: ObjectIdentifier(Thread.current), end: end)
        let handler = state.withLock { state -> Handler? in
            guard let handler = state.handler else { return nil }
            end.enter()
            state.running = running
            return handler
        }
        guard let handler else { return }
        handler(value)
        state.withLock { $0.running = nil }
        end.leave()
    }

    /// Prevents further calls and destroys the handler, outside the lock. If a call is running, the handler is
    /// destroyed after that call.
    ///
    /// - Parameter waits: whether to wait, up to a time limit, for a call that runs on another thread.
    func stop(waits: Bool) {
        let (handler, running) = state.withLock { state in
            defer { state.handler = nil }
            return (state.handler, state.running)
        }
        if waits, let running, running.thread != ObjectIdentifier(Thread.current) {
            _ = running.end.wait(timeout: .now() + Self.patience)
        }
        _ = handler
    }
}
