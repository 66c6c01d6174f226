/// The task of passing a finished rendition, or the reason why it cannot be made, to storage tiers.
package struct KeepAssignment: Sendable {
    package let key: RenditionKey
    package var work: RenderWork
    package let result: Result<SharedImage, ImageRequestError>
    /// The tiers to which the result is passed, in the order in which they are asked. If a tier already had the result,
    /// the list contains only the tiers that are asked before that tier. The tiers that are asked later got the result
    /// when it was made.
    package let tiers: [StorageTier]
    /// The claim of the job that has made the rendition; nil if it had none. It ends once the result has been
    /// passed to the shared store.
    package var claim: ClaimID?
}
