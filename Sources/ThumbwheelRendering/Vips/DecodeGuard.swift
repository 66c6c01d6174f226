import ThumbwheelCore

/// A guard that ends a decode early, when its cancellation token is cancelled or its deadline has passed.
struct DecodeGuard {
    let cancellation: CancellationToken?
    private let deadline: ContinuousClock.Instant

    init(cancellation: CancellationToken?, duration: Duration) {
        self.cancellation = cancellation
        deadline = ContinuousClock.now + duration
    }

    /// The error with which the decode must stop now; nil while the decode may continue.
    var interruption: RenderError? {
        if let cancellation, cancellation.isCancelled { return .cancelled }
        return ContinuousClock.now > deadline ? .limitExceeded(limit: .duration) : nil
    }

    func check() throws(RenderError) {
        if let interruption { throw interruption }
    }
}
