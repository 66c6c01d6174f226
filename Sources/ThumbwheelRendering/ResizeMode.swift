/// The ways to meet a target size; see <doc:Semantics#Resize-modes>.
///
/// The cases speak of the demanded size. With the content mode `.aspectFit`, it is the size at which the whole image
/// just fits inside the target. With `.aspectFill`, it is the size at which the image just covers the target. If the
/// options forbid enlarging, the demanded size is at most the photograph's own size.
public enum ResizeMode: String, Sendable, Hashable, CaseIterable {
    /// The image is delivered as it is decoded, neither resampled nor cropped. It is decoded at the decoder's smallest
    /// scale that gives at least the demanded size, or at full size if no scale gives that size.
    case none
    /// The image keeps its aspect ratio and is not cropped. Each side has at least the demanded length, and less than
    /// twice that length.
    case fast
    /// The image is resampled to exactly the demanded size. With `.aspectFill`, it is then cropped to the target's
    /// aspect ratio.
    case exact
}
