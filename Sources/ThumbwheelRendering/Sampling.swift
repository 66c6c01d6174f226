/// How many times larger than the target a high-quality decode is.
public enum Sampling: String, Sendable, Hashable, CaseIterable {
    /// The decode is at least twice as large as the target, if the image has that many pixels.
    case standard
    /// The decode is at least 3.5 times as large as the target, if the image has that many pixels. The result is a
    /// little sharper than at `standard`, and takes more time.
    case best
}
