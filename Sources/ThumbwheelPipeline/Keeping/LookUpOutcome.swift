/// The answer of a storage tier (store on disk) to a look-up.
package enum LookUpOutcome: Sendable {
    case found(PipelineImage)
    /// The tier has a record that the rendition cannot be made. The error is the recorded reason.
    case refused(ImageRequestError)
    /// The storage tier (store on disk) does not have the rendition, or cannot be read.
    case missing
}
