/// How a claim on a rendition ends that other servers may be making.
package enum SimulatedClaimEnding: String, Codable, Sendable {
    /// Another server has made the rendition.
    case found
    /// Another server has found that the rendition cannot be made; so it is with damaged files only.
    case refusal
    /// This pipeline is to make it.
    case won
    /// The shared store fails, or has lost the claim.
    case unavailable
}
