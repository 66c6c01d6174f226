/// The task of handing a finished rendition, or the reason why it cannot be made, to the tiers that keep renditions.
package struct KeepAssignment: Sendable {
    package let key: RenditionKey
    package var work: RenderWork
    package let result: Result<SharedImage, ImageRequestError>
    /// The tier that the rendition came from, and that has it already; nil if it has been rendered.
    package let origin: StorageTier?
}
