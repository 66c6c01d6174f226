/// How a look-up in a tier ended.
package enum LookUpOutcome: Sendable {
    case found(PipelineImage)
    /// The tier has noted that the rendition cannot be made, and why.
    case refused(ImageRequestError)
    /// The tier does not have the rendition, or cannot be asked.
    case missing
}
