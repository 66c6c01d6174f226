import ThumbwheelCore
import ThumbwheelScheduling

/// The task of fetching the file of one picture (`subject`), or a part of the file, over a network.
package struct FetchAssignment: Sendable {
    package let id: JobID
    package let subject: RenditionKey.Subject
    package let extent: FetchExtent
    package var work: RenderWork
    /// The token that the pipeline cancels to stop the fetch.
    package let token: CancellationToken
}
