import ThumbwheelLocks

/// A response that is being made.
///
/// It becomes ready exactly once, also when it is cancelled, so a server gives its slot back on every path by giving it
/// back there.
public final class PendingResponse: Sendable {
    /// The stages of the work for a response. Each is stopped in its own way.
    enum Stage: Int {
        /// The work waits for its turn, or for a disk.
        case waiting
        /// It is under way.
        case working
        /// It is done, and its response is held back.
        case held
    }

    private struct State {
        var response: ServiceResponse?
        var handler: (@Sendable (ServiceResponse) -> Void)?
        var stop: (@Sendable () -> Void)?
        var stage = Stage.waiting
        var isCancelled = false
        /// Whether the response came before its work was over.
        var isCutShort = false
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

    /// Says how the work is stopped. Where that is known too late, because the response was cancelled or cut short before, the work
    /// is stopped at once.
    ///
    /// - Parameters:
    ///   - stage: The stage that the work has come to. A later one may have begun meanwhile on another thread, and have said how it is
    ///     stopped; that is not replaced.
    ///   - stop: Stops the work. It may be called more than once.
    func stops(at stage: Stage = .working, by stop: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { state in
            guard !state.isCancelled, !state.isCutShort else { return true }
            if state.response == nil, stage.rawValue >= state.stage.rawValue {
                (state.stage, state.stop) = (stage, stop)
            }
            return false
        }
        if isTooLate { stop() }
    }

    /// Sets the response although its work is not over, and stops the work. Does nothing if there is a response.
    func cutShort(with response: ServiceResponse) { end(with: response, isCutShort: true)?() }

    /// Sets the response; does nothing if there is one.
    func finish(_ response: ServiceResponse) {
        // The closure that stops the work is released outside the lock, since it may hold the last reference to anything.
        _ = end(with: response, isCutShort: false)
    }

    /// - Returns: what stops the work.
    private func end(with response: ServiceResponse, isCutShort: Bool) -> (@Sendable () -> Void)? {
        let (handler, stop) = state.withLock {
            state -> ((@Sendable (ServiceResponse) -> Void)?, (@Sendable () -> Void)?) in
            guard state.response == nil else { return (nil, nil) }
            (state.response, state.isCutShort) = (response, isCutShort)
            defer { (state.handler, state.stop) = (nil, nil) }
            return (state.handler, state.stop)
        }
        handler?(response)
        return stop
    }
}
