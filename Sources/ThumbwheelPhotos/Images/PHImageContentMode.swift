import Thumbwheel

/// How an image fills its target.
public enum PHImageContentMode: Int, Sendable {
    /// The whole image lies inside the target.
    case aspectFit = 0
    /// The image covers the target.
    case aspectFill = 1

    /// The whole image lies inside the target.
    public static let `default` = PHImageContentMode.aspectFit

    var mode: ContentMode { self == .aspectFill ? .aspectFill : .aspectFit }
}
