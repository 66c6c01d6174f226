/// The two ways to place an image in its target, which is the rectangle of the requested size; see
/// <doc:Semantics#Target-sizes>.
public enum ContentMode: String, Sendable, Hashable, CaseIterable {
    /// The whole image is shown, inside the target.
    case aspectFit = "fit"
    /// The image covers the whole target. If the resize mode is exact, the parts of the image outside the target are
    /// cut off; otherwise they are kept.
    case aspectFill = "fill"

    /// PhotoKit's default: the whole image is shown.
    public static let `default` = aspectFit
}
