import ThumbwheelCore
import ThumbwheelScheduling

/// The transfer of one picture's file, or of a part of the file, over a network. The fetch lives for as long as a
/// render job wants the bytes or an abandoned run reads them, and serves all renditions that are made from these bytes.
///
/// A job waits outside the queue for workers (it is parked) until its bytes have arrived. So no worker ever waits for a
/// network.
struct Fetch: Sendable {
    let part: FilePart
    let work: RenderWork
    /// An upper limit for the number of bytes that are transferred, computed from the length that the asset states. A
    /// number that is not positive means that the asset states no length.
    let byteCount: Int
    /// The fetch's identifier in the scheduler of fetches, where each fetch counts as a job; nil once the bytes have
    /// arrived.
    var id: JobID?
    /// The render jobs that wait for the bytes or read them.
    var jobs: [JobID] = []
    /// The facts about the transfer while it runs; nil before it has started and after it has ended.
    var run: Run?
    var bytes: FetchedBytes?
    /// The time that the transfer of the bytes took, in milliseconds; 0 until they have arrived.
    var milliseconds = 0.0
    /// The part of the memory budget that is reserved for the bytes, while they are being transferred and after they
    /// have arrived.
    var reservation: Reservation?
    /// The progress that was reported to requests last: the fraction of the bytes that had arrived, from 0 to 1.
    var fraction = 0.0

    struct Run: Sendable {
        let token: CancellationToken
        let start: MonotonicTime
    }
}
