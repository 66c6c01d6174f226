import Dispatch

/// Ends an observation when it is told to, or when it is let go of.
public final class ChangeObservation: Sendable {
    private let end: @Sendable (_ waits: Bool) -> Void

    init(_ end: @escaping @Sendable (_ waits: Bool) -> Void) {
        self.end = end
    }

    /// Ends the observation and releases the handler with all that it holds.
    ///
    /// No call begins after this method has returned. It waits for a call that runs on another thread, for a tenth of a
    /// second at most; that call may run longer. May be called from the handler itself.
    public func cancel() { end(true) }

    // Does not wait: the thread that drops the observation may hold a lock that the handler waits for.
    deinit { end(false) }
}
