import Dispatch

/// A running observation of a library, as returned by `PhotoLibrary.observeChanges`. While it runs, the library calls a
/// handler. The observation ends when `cancel` is called or when this object is destroyed.
public final class ChangeObservation: Sendable {
    private let end: @Sendable (_ waits: Bool) -> Void

    init(_ end: @escaping @Sendable (_ waits: Bool) -> Void) {
        self.end = end
    }

    /// Ends the observation and destroys the handler with everything that it captured.
    ///
    /// No call of the handler starts after this method has returned. If the handler is running on another thread, the
    /// method waits for it for at most a second; the handler may still be running when the method returns.
    /// The handler itself may call this method.
    public func cancel() { end(true) }

    // The deinitializer does not wait for a running handler, because the thread that destroys the observation may hold
    // a lock for which the handler waits.
    deinit { end(false) }
}
