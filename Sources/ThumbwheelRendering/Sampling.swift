/// How far above the target a high-quality decode lies.
public enum Sampling: String, Sendable, Hashable, CaseIterable {
    /// A decode of at least twice the target, as far as there are pixels.
    case standard
    /// A larger decode still, for a little more sharpness at a cost in time.
    case best
}
