/// The task of handing a finished rendition, or the reason why it cannot be made, to the tiers that keep renditions.
package struct KeepAssignment: Sendable {
    package let key: RenditionKey
    package var work: RenderWork
    package let result: Result<SharedImage, ImageRequestError>
}
