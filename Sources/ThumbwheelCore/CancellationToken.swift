import ThumbwheelLocks

import struct Synchronization.Atomic

/// A switch that is thrown once and that any number of pieces of work look at.
///
/// One token can end many requests, for instance all those of a connection that closes.
public final class CancellationToken: Sendable {
    /// The proof of a registered handler; hand it to `removeHandler` when the work is over.
    public struct Registration: Hashable, Sendable {
        fileprivate let identifier: UInt64
    }

    private struct State {
        var nextIdentifier: UInt64 = 0
        var handlers: [UInt64: @Sendable () -> Void] = [:]
    }

    // Read between bands of rows by every decoder: an atomic of its own, so that looking costs no lock. It is written
    // inside the lock, so that a handler is either in the table when it is emptied or told at once.
    private let flag = Atomic(false)
    private let state = Mutex(State())

    /// Makes a token that is not cancelled.
    public init() {}

    /// Whether the token has been cancelled. May be read on any thread.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// How many pieces of work would be told: none, once all work with the token has ended.
    package var handlerCount: Int { state.withLock { $0.handlers.count } }

    /// Throws the switch and runs the registered handlers, once, on the calling thread. Later calls do nothing.
    public func cancel() {
        let handlers = state.withLock { state -> [UInt64: @Sendable () -> Void] in
            flag.store(true, ordering: .releasing)
            defer { state.handlers = [:] }
            return state.handlers
        }
        for identifier in handlers.keys.sorted() { handlers[identifier]?() }
    }

    /// Has `handler` run when the token is cancelled: on the cancelling thread, or here and now if that has happened.
    @discardableResult
    public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Registration {
        let registration = state.withLock { state -> Registration? in
            guard !isCancelled else { return nil }
            state.nextIdentifier += 1
            state.handlers[state.nextIdentifier] = handler
            return Registration(identifier: state.nextIdentifier)
        }
        guard let registration else {
            handler()
            return Registration(identifier: 0)
        }
        return registration
    }

    /// Forgets a handler. One that is being run on another thread at this moment still finishes.
    public func removeHandler(_ registration: Registration) {
        // The closure is released outside the lock: its captures may run arbitrary code as they go.
        _ = state.withLock { $0.handlers.removeValue(forKey: registration.identifier) }
    }
}
