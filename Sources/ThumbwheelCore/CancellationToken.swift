import ThumbwheelLocks

import struct Synchronization.Atomic

/// A switch that cancels any number of pieces of work. It can be switched once, and never back; the work checks it.
///
/// One token can end many requests, for instance all those of a connection that closes.
public final class CancellationToken: Sendable {
    /// Identifies a registered handler; pass it to `removeHandler` when the work is over.
    public struct Registration: Hashable, Sendable {
        fileprivate let identifier: UInt64
    }

    private struct State {
        var nextIdentifier: UInt64 = 0
        var handlers: [UInt64: @Sendable () -> Void] = [:]
    }

    // Every decoder reads the flag between bands of rows, so it is an atomic that can be read without a lock. It is
    // written inside the lock, so that a handler is either in the table when `cancel` empties it, or is called at once.
    private let flag = Atomic(false)
    private let state = Mutex(State())

    /// Makes a token that is not cancelled.
    public init() {}

    /// Whether the token has been cancelled. It may be read on any thread.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// The number of registered handlers; 0 once all work with the token has ended.
    package var handlerCount: Int { state.withLock { $0.handlers.count } }

    /// Cancels the token and runs the registered handlers, once, on the calling thread. Later calls do nothing.
    public func cancel() {
        let handlers = state.withLock { state -> [UInt64: @Sendable () -> Void] in
            flag.store(true, ordering: .releasing)
            defer { state.handlers = [:] }
            return state.handlers
        }
        for identifier in handlers.keys.sorted() { handlers[identifier]?() }
    }

    /// Registers `handler`, which runs when the token is cancelled, on the cancelling thread. If the token is already
    /// cancelled, the handler runs at once, on the calling thread.
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

    /// Removes a handler. If it is running on another thread at this moment, it still finishes.
    public func removeHandler(_ registration: Registration) {
        // The closure is destroyed outside the lock, because destroying its captures may run arbitrary code.
        _ = state.withLock { $0.handlers.removeValue(forKey: registration.identifier) }
    }
}
