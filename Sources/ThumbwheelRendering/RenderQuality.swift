/// How much work goes into a rendering.
public enum RenderQuality: String, Sendable, Hashable, CaseIterable {
    /// The image comes from the smallest decode that covers the target. The last bits of the finer coefficients of a
    /// progressive file are not read, and a damaged file is rendered as far as it can be decoded.
    case fast
    /// The image comes from a decode of ample resolution; a damaged file is an error.
    case high
}
