import ThumbwheelCore

/// The facts about the coding of a HEIF or AVIF file's picture that decide what a decoder needs.
public struct HEIFCoding: Sendable, Hashable {
    /// The size of the tiles, if the picture is a grid of them; nil for a picture that is coded as a whole or derived
    /// otherwise.
    public var tileSize: PixelSize?
    /// Whether colours are stored at the size of the picture (4:4:4). Most files store them at half the size or less.
    public var hasFullChroma: Bool
    /// The size of the picture before its file crops and turns it; nil if the file does not crop it. Decoders need
    /// memory for this size.
    public var uncroppedSize: PixelSize?

    /// Makes a description of a coding.
    public init(tileSize: PixelSize? = nil, hasFullChroma: Bool = false, uncroppedSize: PixelSize? = nil) {
        self.tileSize = tileSize
        self.hasFullChroma = hasFullChroma
        self.uncroppedSize = uncroppedSize
    }
}
