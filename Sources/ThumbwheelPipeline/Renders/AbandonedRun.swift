import ThumbwheelCore

/// A run that the pipeline has abandoned, and whose decoder has not returned yet. Its job is over or waits for another
/// run, so that a run is told from others by its token.
struct AbandonedRun: Sendable {
    let token: CancellationToken
    /// The memory that the run takes until its decoder returns.
    let reservation: Reservation
    /// The bytes from a network that the decoder reads; nil if it reads none. Their fetch keeps them until it returns.
    let part: FilePart?
}
