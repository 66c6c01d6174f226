/// The task of passing a finished rendition, or the reason why it cannot be made, to storage tiers.
package struct KeepAssignment: Sendable {
    package let key: RenditionKey
    package var work: RenderWork
    package let result: Result<SharedImage, ImageRequestError>
    /// The tiers to which the result is passed, in the order in which they are asked. If the result was found in a
    /// tier, the list has only tiers that are asked before that one. The others have got the result when it was made.
    package let tiers: [StorageTier]
    /// The claim of the job that has made the rendition; nil if it had none. It ends as soon as the shared store has the
    /// rendition.
    package var claim: ClaimID?
}
