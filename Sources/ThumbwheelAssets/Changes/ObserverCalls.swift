import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// The handler of one observation; it is called with one value at a time until `stop`.
///
/// Each call is admitted under the lock, and enters the handler shortly afterwards. If asked to wait, `stop` waits for
/// an admitted call, so that the call does not enter the handler after `stop` has returned. The wait is bounded,
/// because the handler may itself wait for the thread that calls `stop`. The bound is longer than any thread needs to
/// enter the handler.
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

    private static var patience: DispatchTimeInterval { .milliseconds(100) }

    private let state: Mutex<State>

    init(_ handler: @escaping Handler) {
        state = Mutex(State(handler: handler))
    }

    /// Calls the handler, unless `stop` was called before. Two calls must not run at the same time.
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

    /// Prevents further calls and releases the handler. The handler is destroyed outside the lock; if a call still
    /// runs, it is destroyed after that call.
    ///
    /// - Parameter waits: whether to wait, for a bounded time, for a call that runs on another thread.
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
