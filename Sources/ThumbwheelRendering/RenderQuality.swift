/// How much work goes into a rendering.
public enum RenderQuality: String, Sendable, Hashable, CaseIterable {
    /// The image comes from the smallest decode that covers the target. The refinement scans of a progressive JPEG,
    /// which add the last bits of coefficients, are not read, and a damaged file is rendered as far as it can be
    /// decoded.
    case fast
    /// A resampled image comes from a decode of at least twice its size, or from the full size of the photograph if
    /// that is smaller. A damaged file is an error.
    case high
}
