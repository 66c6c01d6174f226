import ThumbwheelCore

/// A guard that ends a decode early, when its cancellation token is cancelled or its deadline has passed.
struct DecodeGuard {
    let cancellation: CancellationToken?
    private let deadline: ContinuousClock.Instant
    /// Forbids the decoders of other libraries, such as libvips, in this process, so that only this library's own
    /// decoders are used. Nil if all decoders are allowed.
    private let fence: DecoderFence?

    init(cancellation: CancellationToken?, duration: Duration, fence: DecoderFence? = nil) {
        self.cancellation = cancellation
        self.fence = fence
        deadline = ContinuousClock.now + duration
    }

    /// The error with which the decode must stop now; nil while the decode may continue.
    var interruption: RenderError? {
        if let cancellation, cancellation.isCancelled { return .cancelled }
        return ContinuousClock.now > deadline ? .limitExceeded(limit: .duration) : nil
    }

    /// Throws if decoders of other libraries, such as libvips, must not decode the file in this process, but only in a
    /// separate decoder process. Each such decoder calls this function before it starts.
    func checkForeignCodeIsAllowed() throws(RenderError) {
        guard let fence else { return }
        fence.noteReached()
        throw .unavailable(reason: "this file is decoded outside the process")
    }

    func check() throws(RenderError) {
        if let interruption { throw interruption }
    }
}
