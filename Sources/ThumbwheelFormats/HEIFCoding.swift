import ThumbwheelCore

/// How the picture of a HEIF or AVIF file is coded, as far as it decides what a decoder needs.
public struct HEIFCoding: Sendable, Hashable {
    /// The size of the tiles that the picture is a grid of; nil where it is coded as a whole, or put together otherwise.
    public var tileSize: PixelSize?
    /// Whether colours are stored at the size of the picture (4:4:4), where most files store them at half of it or less.
    public var hasFullChroma: Bool

    public init(tileSize: PixelSize? = nil, hasFullChroma: Bool = false) {
        self.tileSize = tileSize
        self.hasFullChroma = hasFullChroma
    }
}
