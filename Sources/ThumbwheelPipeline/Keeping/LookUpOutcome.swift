/// The answer of a storage tier to a look-up.
package enum LookUpOutcome: Sendable {
    case found(PipelineImage)
    /// The tier has a record that the rendition cannot be made. The error is the recorded reason.
    case refused(ImageRequestError)
    /// The tier does not have the rendition, or cannot be read.
    case missing
    /// The tier is not used at the moment, or has not answered in time. Such an answer says nothing of how fast the
    /// tier is.
    case unavailable

    /// Whether the tier itself has answered, so that the duration of the look-up tells how fast the tier is.
    var isAnswer: Bool {
        switch self {
        case .found, .refused, .missing: true
        case .unavailable: false
        }
    }
}
