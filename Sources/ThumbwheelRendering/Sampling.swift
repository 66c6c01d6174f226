/// How many times larger than the target a high-quality decode is.
public enum Sampling: String, Sendable, Hashable, CaseIterable {
    /// The decode is at least twice as large as the target, if the image has that many pixels.
    case standard
    /// The decode is larger than at `standard`, which gives a little more sharpness and takes more time.
    case best
}
