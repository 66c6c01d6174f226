/// The size of a high-quality decode, compared with the target in each direction.
public enum Sampling: String, Sendable, Hashable, CaseIterable {
    /// The decode is at least twice as large as the target, if the image has that many pixels.
    case standard
    /// The decode is at least 3.5 times as large as the target, if the image has that many pixels. The result is a
    /// little sharper than at `standard`, and takes more time.
    case best
}
