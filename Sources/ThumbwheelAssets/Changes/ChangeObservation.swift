import Dispatch

/// A running observation, which ends when `cancel` is called or when this object is released.
public final class ChangeObservation: Sendable {
    private let end: @Sendable (_ waits: Bool) -> Void

    init(_ end: @escaping @Sendable (_ waits: Bool) -> Void) {
        self.end = end
    }

    /// Ends the observation and releases the handler with everything that it captured.
    ///
    /// No call of the handler begins after this method has returned. The method waits at most a tenth of a second for a
    /// call that runs on another thread; that call may run longer. The handler itself may call this method.
    public func cancel() { end(true) }

    // This does not wait for a running call. The thread that releases the observation may hold a lock that the handler
    // waits for.
    deinit { end(false) }
}
