import ThumbwheelCore
import ThumbwheelScheduling

/// The transfer of the file of one picture, or of a part of the file, over a network. The fetch is kept for as long as
/// a render job wants the bytes, and serves all renditions that are made of them.
///
/// A job is parked, that is, kept out of the queue for workers, until its bytes have arrived. So no worker ever waits
/// for a network.
struct Fetch: Sendable {
    let subject: FetchSubject
    let work: RenderWork
    /// The number of bytes that are said to come, at most; 0 or less if it is unknown.
    let byteCount: Int
    /// The fetch's identifier in the scheduler of fetches; nil once the bytes have arrived.
    var id: JobID?
    /// The render jobs that wait for the bytes or read them.
    var jobs: [JobID] = []
    /// The run of the fetch; nil while the fetch does not run.
    var run: Run?
    var bytes: FetchedBytes?
    /// The time that the transfer of the bytes took, in milliseconds; 0 until they have arrived.
    var milliseconds = 0.0
    /// The part of the budget that is reserved for the bytes, while they are being transferred and after they have
    /// arrived.
    var reservation: Reservation?
    /// The progress that requests were last told: the fraction of the bytes that has arrived, from 0 to 1.
    var fraction = 0.0

    struct Run: Sendable {
        let token: CancellationToken
        let start: MonotonicTime
    }
}
