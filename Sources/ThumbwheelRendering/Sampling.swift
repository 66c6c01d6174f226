/// How many pixels are decoded for each pixel of a high-quality image, in each direction. The decoded pixels are then
/// reduced to that image.
public enum Sampling: String, Sendable, Hashable, CaseIterable {
    /// The decode is at least twice as large as the target, if the image has that many pixels.
    case standard
    /// The decode is at least 3.5 times as large as the target, if the image has that many pixels. The result is a
    /// little sharper than at `standard`, and takes more time.
    case best
}
