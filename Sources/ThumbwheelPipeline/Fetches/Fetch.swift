import ThumbwheelCore
import ThumbwheelScheduling

/// The transfer of one subject's bytes over a network, kept for as long as the bytes are wanted. One fetch serves all
/// renditions that are made of the bytes.
///
/// Renders are parked until their bytes have arrived, so that no worker ever waits for a network.
struct Fetch: Sendable {
    let subject: RenditionKey.Subject
    let work: RenderWork
    /// The length that the file is said to have, in bytes; 0 or less if it is unknown.
    let byteCount: Int
    /// The fetch's job in the order of fetches; nil once the bytes have arrived.
    var id: JobID?
    /// The renders that wait for the bytes or read them.
    var jobs: [JobID] = []
    /// The run of the fetch; nil while the fetch does not run.
    var run: Run?
    var bytes: FetchedBytes?
    /// The time that the transfer of the bytes took, in milliseconds.
    var milliseconds = 0.0
    /// The part of the budget that is reserved for the bytes, while they are being transferred and after they have arrived.
    var reservation: Reservation?
    /// The progress that requests were last told: the fraction of the bytes that has arrived, from 0 to 1.
    var fraction = 0.0

    struct Run: Sendable {
        let token: CancellationToken
        let start: MonotonicTime
    }
}
