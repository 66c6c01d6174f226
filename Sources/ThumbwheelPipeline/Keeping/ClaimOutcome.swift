/// The answer to a claim on a rendition.
package enum ClaimOutcome: Sendable {
    /// Another server has made the rendition.
    case found(PipelineImage)
    /// Another server has found that the rendition cannot be made.
    case refused(ImageRequestError)
    /// This pipeline is to make the rendition, and other servers wait for it. The pipeline must end the claim
    /// afterwards.
    case won
    /// The shared store does not tell whether another server makes the rendition, for example because the store is out
    /// of reach. So this pipeline makes the rendition without a claim.
    case unavailable

    var isWon: Bool {
        switch self {
        case .won: true
        case .found, .refused, .unavailable: false
        }
    }
}
