import ThumbwheelCore
import ThumbwheelScheduling

/// The bytes of one subject, on their way or here: one fetch serves all renditions made of them.
///
/// Renders whose bytes are not here are parked, so that no worker ever waits for a network.
struct Fetch: Sendable {
    let subject: RenditionKey.Subject
    let work: RenderWork
    /// The length that the file is said to have; 0 or less where nobody knows.
    let byteCount: Int
    /// The place in the order of fetches; nil once the bytes are here.
    var id: JobID?
    /// The renders that wait for the bytes or read them.
    var jobs: [JobID] = []
    /// Set while the fetch runs.
    var run: Run?
    var bytes: FetchedBytes?
    /// What it took to bring them.
    var milliseconds = 0.0
    /// For the bytes that are coming or here.
    var reservation: Reservation?
    /// What has been told of the progress.
    var fraction = 0.0

    struct Run: Sendable {
        let token: CancellationToken
        let start: MonotonicTime
    }
}
