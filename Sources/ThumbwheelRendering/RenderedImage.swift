import ThumbwheelCore

/// A rendering, and what it was made from.
public struct RenderedImage: Sendable {
    /// The parts of a file that pixels come from.
    public enum Source: String, Sendable {
        /// A preview embedded in the file.
        case embedded
        /// A decode at reduced scale.
        case reduced
        /// A decode at full size.
        case full
    }

    /// The decoders, by the names that documents use.
    public enum Decoder: String, Sendable {
        /// A loader of libvips.
        case vips
        /// The decoder of this library's own for JPEG.
        case jpeg
        /// libwebp itself, without libvips around it.
        case webp
        /// This library's reader of Windows and OS/2 bitmaps.
        case bmp
        /// libde265, on the tiles of a HEIC file.
        case de265 = "libde265"
        /// libavcodec, on the tiles of a HEIC file.
        case libavcodec
        /// dav1d, on the tiles of an AVIF file.
        case dav1d
        /// This library's decoder of PNG, on igzip.
        case png
        /// This library's decoder of TIFF, on igzip and its own decoder of JPEG.
        case tiff
        /// This library's decoder of GIF.
        case gif
    }

    /// The pixels.
    public var bitmap: Bitmap
    /// The part of the file that the pixels come from.
    public var source: Source
    /// The decode's scale in eighths; 8 is full size.
    public var eighths: Int
    /// The decoder that made them.
    public var decoder: Decoder
    /// Whether the file was damaged and only a part of the image could be decoded.
    public var isPartial: Bool
    /// The hash of everything that the file shows, whatever part of it the bitmap does; nil if none was asked for,
    /// and for partial images.
    public var thumbHash: ThumbHash?

    /// Makes a rendering of its parts, without a hash.
    public init(bitmap: Bitmap, source: Source, eighths: Int, decoder: Decoder, isPartial: Bool = false) {
        self.bitmap = bitmap
        self.source = source
        self.eighths = eighths
        self.decoder = decoder
        self.isPartial = isPartial
    }

    /// Partial images get no hash, because a placeholder made from one would misrepresent the photograph.
    func with(_ hash: ThumbHash) -> RenderedImage {
        var image = self
        image.thumbHash = isPartial ? nil : hash
        return image
    }
}
