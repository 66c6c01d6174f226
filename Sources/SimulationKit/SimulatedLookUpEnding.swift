/// How a look-up in a tier below memory ends.
package enum SimulatedLookUpEnding: String, Codable, Sendable {
    /// The tier answers with the rendition if it was ever told of it, and else that it has none.
    case answer
    /// The tier has lost the rendition.
    case missing
    /// The tier fails, or is not used.
    case unavailable
    /// The tier says that the rendition cannot be made; it does so of damaged files only.
    case refusal
}
