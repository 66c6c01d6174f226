/// The task of passing a finished rendition, or the reason why it cannot be made, to the storage tiers (stores on
/// disk).
package struct KeepAssignment: Sendable {
    package let key: RenditionKey
    package var work: RenderWork
    package let result: Result<SharedImage, ImageRequestError>
}
