/// The ways to meet a target size; see <doc:Semantics#Resize-modes>. Below, the demanded size is the size at which the
/// whole image fits inside the target, or covers it, according to the content mode. If the options forbid enlarging, it
/// is at most the photograph's own size.
public enum ResizeMode: String, Sendable, Hashable, CaseIterable {
    /// The image is delivered as it is decoded, neither resampled nor cropped. The decoder's smallest scale is used at
    /// which the image has at least the demanded size; full size if there is none.
    case none
    /// The image keeps its aspect ratio and is not cropped. Each side has at least the demanded length, and less than
    /// twice that length.
    case fast
    /// The image is resampled to exactly the demanded size. With `.aspectFill`, the parts outside the target are cut
    /// off, so that the image has the target's aspect ratio.
    case exact
}
