/// The ways to meet a target size; see <doc:Semantics#Resize-modes>.
public enum ResizeMode: String, Sendable, Hashable, CaseIterable {
    /// The image is delivered as it is decoded, neither resampled nor cropped. Among the decoder's scales, the smallest
    /// is used at which the image is as large as the target and the content mode demand.
    case none
    /// The image keeps its aspect ratio and is not cropped. In each direction, it is as large as the target and the
    /// content mode demand, or less than twice as large.
    case fast
    /// The image is resampled to the exact size. With `.aspectFill` this is the target size; with `.aspectFit` it is
    /// the size of the whole image inside the target. If the image would have to be enlarged, which the options may
    /// forbid, it keeps its own resolution.
    case exact
}
