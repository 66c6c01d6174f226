/// The answer to a claim on a rendition.
package enum ClaimOutcome: Sendable {
    /// Another server has made the rendition.
    case found(PipelineImage)
    /// Another server has found that the rendition cannot be made.
    case refused(ImageRequestError)
    /// This pipeline is to make the rendition; other servers wait for it. The claim must be ended.
    case won
    /// Nobody knows who makes the rendition, so this pipeline makes it without a claim.
    case unavailable

    var isWon: Bool {
        switch self {
        case .won: true
        case .found, .refused, .unavailable: false
        }
    }
}
