/// The answer of a storage tier (store on disk) to a look-up.
package enum LookUpOutcome: Sendable {
    case found(PipelineImage)
    /// The tier has a note that the rendition cannot be made, with the reason.
    case refused(ImageRequestError)
    /// The storage tier (store on disk) does not have the rendition, or cannot be read.
    case missing
}
