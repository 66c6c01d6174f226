/// The task of passing a finished rendition, or the reason why it cannot be made, to storage tiers.
package struct KeepAssignment: Sendable {
    package let key: RenditionKey
    package var work: RenderWork
    package let result: Result<SharedImage, ImageRequestError>
    /// The tiers that are to keep it, in their order. The list has no tier in which the rendition was found, and none
    /// that is asked after that one.
    package let tiers: [StorageTier]
    /// The claim of the job that has made the rendition; nil if it had none. It ends as soon as the shared store has the
    /// rendition.
    package var claim: ClaimID?
}
