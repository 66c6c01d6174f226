import Thumbwheel

/// The versions of an adjusted asset's picture.
public enum PHImageRequestOptionsVersion: Int, Sendable {
    /// The rendering of the adjustments, or the original if there are none.
    case current = 0
    /// The original. PhotoKit applies adjustments of its own to it; this library has none.
    case unadjusted = 1
    /// The original, as it was taken.
    case original = 2

    var version: ImageVersion {
        switch self {
        case .current: .current
        case .unadjusted: .unadjusted
        case .original: .original
        }
    }
}
