/// The images that a request gets, and when; see <doc:Semantics#Delivery-modes>.
public enum DeliveryMode: String, Sendable, Hashable, CaseIterable {
    /// A degraded image first where one is at hand much sooner than the final one; then the final one.
    case opportunistic
    /// One image, of full quality.
    case highQuality = "high"
    /// One image, as cheap as the target allows.
    case fast

    /// The kind of rendition that ends a request.
    package var finalKind: RenditionKey.Kind {
        switch self {
        case .opportunistic, .highQuality: .high
        case .fast: .fast
        }
    }

    /// Whether a degraded image comes first where one is at hand, and whether a part of a damaged photograph will do.
    package var takesLess: Bool {
        switch self {
        case .opportunistic: true
        case .highQuality, .fast: false
        }
    }

    /// Whether a request gets an embedded preview first: only where that is predicted to come much sooner than the final
    /// image.
    ///
    /// - Parameters:
    ///   - preview: the predicted milliseconds of the preview; nil where there is none.
    ///   - final: those of the final image.
    package func wantsPreview(taking preview: Double?, beside final: Double) -> Bool {
        takesLess && preview.map { $0 <= final / 4 } ?? false
    }
}
