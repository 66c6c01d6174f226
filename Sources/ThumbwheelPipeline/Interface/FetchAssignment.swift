import ThumbwheelCore
import ThumbwheelScheduling

/// The task of bringing one subject's bytes over a network.
package struct FetchAssignment: Sendable {
    package let id: JobID
    package let subject: RenditionKey.Subject
    package var work: RenderWork
    /// The token that the pipeline cancels to stop the fetch.
    package let token: CancellationToken
}
