/// The images that a request gets, and when; see <doc:Semantics#Delivery-modes>.
public enum DeliveryMode: String, Sendable, Hashable, CaseIterable {
    /// The request gets the final image. Before it, the request gets a degraded image, if one can be had much sooner.
    case opportunistic
    /// The request gets one image, of full quality.
    case highQuality = "high"
    /// The request gets one image, made in the cheapest way that suits the target size. Its quality may be lower than
    /// with `highQuality`.
    case fast

    /// The kind of the rendition that is delivered last and completes the request.
    package var finalKind: RenditionKey.Kind {
        switch self {
        case .opportunistic, .highQuality: .high
        case .fast: .fast
        }
    }

    /// Whether the request accepts a degraded image before the final one. Such a request also accepts a part of a
    /// damaged photograph in place of the whole.
    package var acceptsDegraded: Bool {
        switch self {
        case .opportunistic: true
        case .highQuality, .fast: false
        }
    }

    /// Whether a request gets an embedded preview first. It does if it accepts a degraded image, and if making the
    /// preview is predicted to take at most a quarter of the time of making the final image.
    ///
    /// - Parameters:
    ///   - preview: the predicted time of the preview in milliseconds; nil if there is no preview.
    ///   - final: the predicted time of the final image in milliseconds.
    package func wantsPreview(taking preview: Double?, beside final: Double) -> Bool {
        acceptsDegraded && preview.map { $0 <= final / 4 } ?? false
    }
}
