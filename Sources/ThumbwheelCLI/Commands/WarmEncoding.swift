import Thumbwheel

/// The form of the images that are made ahead.
enum WarmEncoding: String, CaseIterable, Sendable {
    case none, jpeg, webp, avif

    func encoding(quality: Int) -> ImageEncoding? {
        switch self {
        case .none: nil
        case .jpeg: .jpeg(quality: quality)
        case .webp: .webp(quality: quality)
        case .avif: .avif(quality: quality)
        }
    }
}
