import ThumbwheelCore

/// The task of claiming a rendition: asking the shared store whether another server is making it. If so, the task waits
/// for that server's result. If not, this pipeline becomes the only one that makes the rendition.
package struct ClaimAssignment: Sendable {
    package let id: ClaimID
    package let key: RenditionKey
    package var work: RenderWork
    /// The time after which the claim ends by itself, in case this process dies.
    package let lifetime: Duration
    /// The token that the pipeline cancels when nobody waits for the answer any more. The claim is still answered.
    package let token: CancellationToken
}
