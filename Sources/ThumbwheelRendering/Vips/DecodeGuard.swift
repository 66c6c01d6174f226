import ThumbwheelCore

/// What ends a decode before its time: a cancelled token or a deadline.
struct DecodeGuard {
    let cancellation: CancellationToken?
    private let deadline: ContinuousClock.Instant

    init(cancellation: CancellationToken?, duration: Duration) {
        self.cancellation = cancellation
        deadline = ContinuousClock.now + duration
    }

    /// Why the work must stop now; nil while it may go on.
    var interruption: RenderError? {
        if let cancellation, cancellation.isCancelled { return .cancelled }
        return ContinuousClock.now > deadline ? .limitExceeded(limit: .duration) : nil
    }

    func check() throws(RenderError) {
        if let interruption { throw interruption }
    }
}
