/// How much work goes into a rendering.
public enum RenderQuality: String, Sendable, Hashable, CaseIterable {
    /// The image comes from the smallest decode with enough pixels for the target. The refinement scans of a
    /// progressive JPEG, which add the last bits of coefficients, are not read. A damaged file is rendered as far as it
    /// can be decoded.
    case fast
    /// The best quality. The image is reduced from a decode with at least twice its width and height, or from a decode
    /// at full size if the photograph is smaller than that. With the resize mode `.none`, the decode itself is
    /// delivered. If the file is damaged, the rendering fails.
    case high
}
