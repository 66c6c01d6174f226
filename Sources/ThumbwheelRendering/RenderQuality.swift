/// How much work goes into a rendering.
public enum RenderQuality: String, Sendable, Hashable, CaseIterable {
    /// The smallest decode that covers the target, of a progressive file without the last bits of its finer coefficients; of
    /// a damaged file, what there is of it.
    case fast
    /// A decode of ample resolution; a damaged file is an error.
    case high
}
