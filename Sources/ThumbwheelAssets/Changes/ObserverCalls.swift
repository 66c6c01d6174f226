import Dispatch
import Foundation
import ThumbwheelCore

/// The handler of one observation, which is called with one value at a time until it is taken away.
///
/// Whether a call may begin is decided under the lock and right before it, and whoever stops the calls waits for one that has
/// begun: its first line then comes before all that follows the stop. Not without an end, for the handler may wait in turn for
/// whoever stops it; one that takes longer than any thread takes to enter it has begun.
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

    /// On one thread at a time.
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

    /// No call begins after this one. What the handler holds is let go of when none runs, outside the lock.
    ///
    /// - Parameter waits: for a call that runs on another thread.
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
