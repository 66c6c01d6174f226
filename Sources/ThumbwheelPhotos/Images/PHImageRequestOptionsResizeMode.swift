import Thumbwheel

/// How exactly an image has the size that was asked for.
public enum PHImageRequestOptionsResizeMode: Int, Sendable {
    /// As large as the decoder makes it.
    case none = 0
    /// At least as large as the target, and less than twice as large.
    case fast = 1
    /// As large as the target, to the pixel.
    case exact = 2

    var mode: ResizeMode {
        switch self {
        case .none: .none
        case .fast: .fast
        case .exact: .exact
        }
    }
}
