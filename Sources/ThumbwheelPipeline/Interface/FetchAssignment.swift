import ThumbwheelCore
import ThumbwheelScheduling

/// Bytes to be brought.
package struct FetchAssignment: Sendable {
    package let id: JobID
    package let subject: RenditionKey.Subject
    package var work: RenderWork
    /// Cancelled where the pipeline wants the fetch stopped.
    package let token: CancellationToken
}
