import ThumbwheelLocks

/// A response that is being made.
///
/// It becomes ready exactly once, also when it is cancelled, so a server gives its slot back on every path by giving it
/// back there.
public final class PendingResponse: Sendable {
    private struct State {
        var response: ServiceResponse?
        var handler: (@Sendable (ServiceResponse) -> Void)?
        var stop: (@Sendable () -> Void)?
        var isCancelled = false
    }

    private let state = Mutex(State())

    init() {}

    /// The response, if it is ready.
    public var response: ServiceResponse? { state.withLock { $0.response } }

    /// Whether `cancel` was called before the response was ready.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Has `handler` called once with the response: at once if the response is ready, or else on the thread that makes
    /// it. The handler must not block. There is one handler; a second one replaces the first.
    public func whenReady(_ handler: @escaping @Sendable (ServiceResponse) -> Void) {
        let response = state.withLock { state -> ServiceResponse? in
            if state.response == nil { state.handler = handler }
            return state.response
        }
        if let response { handler(response) }
    }

    /// Ends the work, because the client has left. The response then says so, and nobody reads it.
    public func cancel() {
        let stop = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.response == nil else { return nil }
            state.isCancelled = true
            defer { state.stop = nil }
            return state.stop
        }
        stop?()
    }

    /// Says how the work is stopped. Where the response was cancelled before that was known, the work is stopped at once.
    ///
    /// - Parameter replaces: Whether `stop` replaces a closure that was set before. Pass false if the next stage of the work may
    ///   have begun meanwhile on another thread, and have set the closure that stops it.
    func stops(replacing replaces: Bool = true, by stop: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            guard state.response == nil else { return false }
            if !state.isCancelled, replaces || state.stop == nil { state.stop = stop }
            return state.isCancelled
        }
        if isCancelled { stop() }
    }

    /// Sets the response; does nothing if there is one.
    func finish(_ response: ServiceResponse) {
        let (handler, stop) = state.withLock {
            state -> ((@Sendable (ServiceResponse) -> Void)?, (@Sendable () -> Void)?) in
            guard state.response == nil else { return (nil, nil) }
            state.response = response
            defer { (state.handler, state.stop) = (nil, nil) }
            return (state.handler, state.stop)
        }
        // The closure that stops the work is released outside the lock, since it may hold the last reference to anything.
        _ = stop
        handler?(response)
    }
}
