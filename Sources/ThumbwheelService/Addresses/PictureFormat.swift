import Thumbwheel

/// The formats that addresses of thumbnails end in. Each has an encoder in the library.
enum PictureFormat: String, CaseIterable {
    case jpg, webp, png, avif

    var contentType: ContentType {
        switch self {
        case .jpg: .jpeg
        case .webp: .webp
        case .png: .png
        case .avif: .avif
        }
    }

    func encoding(quality: Int) -> ImageEncoding {
        switch self {
        case .jpg: .jpeg(quality: quality)
        case .webp: .webp(quality: quality)
        case .png: .png
        case .avif: .avif(quality: quality)
        }
    }

    /// The format for a client: WebP where it names WebP, which is smaller, or else the first that it takes. AVIF, which takes
    /// long to make, is the last. Nil if the client takes none.
    init?(_ accepted: AcceptedTypes) {
        if accepted.names(PictureFormat.webp.contentType.rawValue),
            accepted.weight(of: ContentType.webp.rawValue) >= accepted.weight(of: ContentType.jpeg.rawValue)
        {
            self = .webp
            return
        }
        let weights = Self.allCases.map { ($0, accepted.weight(of: $0.contentType.rawValue)) }
        guard let best = weights.max(by: { $0.1 < $1.1 }), best.1 > 0 else { return nil }
        self = weights.first { $0.1 == best.1 }?.0 ?? best.0
    }
}
