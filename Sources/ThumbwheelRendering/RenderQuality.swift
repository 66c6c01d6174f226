/// How much work goes into a rendering.
public enum RenderQuality: String, Sendable, Hashable, CaseIterable {
    /// The smallest decode that covers the target. A progressive file is read without the last bits of its finer
    /// coefficients, and a damaged file is rendered as far as it goes.
    case fast
    /// A decode of ample resolution; a damaged file is an error.
    case high
}
