/// The ways to meet a target size; see <doc:Semantics#Resize-modes>.
public enum ResizeMode: String, Sendable, Hashable, CaseIterable {
    /// The image is delivered as it is decoded, neither resampled nor cropped. Its scale is the smallest of the
    /// decoder's scales at which the image is not smaller than the target.
    case none
    /// The image keeps its aspect ratio and is not cropped. Its size is at least the target and less than twice the
    /// target.
    case fast
    /// The image has exactly the size of the target, to the pixel.
    case exact
}
