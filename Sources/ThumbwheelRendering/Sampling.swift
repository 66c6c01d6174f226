/// The number of pixels that are decoded for each pixel of a high-quality image, in each direction. The decoded pixels
/// are then reduced to that image.
public enum Sampling: String, Sendable, Hashable, CaseIterable {
    /// The decode has at least twice the target's width and height. An image with fewer pixels is decoded at full size.
    case standard
    /// The decode has at least 3.5 times the target's width and height. An image with fewer pixels is decoded at full
    /// size. The result is a little sharper than at `standard`, and takes more time.
    case best
}
