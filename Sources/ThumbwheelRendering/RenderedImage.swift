import ThumbwheelCore

/// A rendered image, with the source of its pixels in the file and the decoder that made them.
public struct RenderedImage: Sendable {
    /// The ways in which an image is made from a file: from a preview in the file, or by decoding the image itself.
    public enum Source: String, Sendable {
        /// A preview embedded in the file.
        case embedded
        /// A decode of the image at a reduced scale.
        case reduced
        /// A decode of the image at full size.
        case full
    }

    /// The decoders that can make an image. The raw values are their names in reports, such as those of `thumbwheel
    /// inspect`.
    public enum Decoder: String, Sendable {
        /// A loader of libvips.
        case vips
        /// This library's decoder of JPEG.
        case jpeg
        /// libwebp, called directly instead of through libvips.
        case webp
        /// This library's reader of Windows and OS/2 bitmaps.
        case bmp
        /// libde265, which decodes the tiles of a HEIC file.
        case de265 = "libde265"
        /// libavcodec, which decodes the tiles of a HEIC file.
        case libavcodec
        /// dav1d, which decodes the tiles of an AVIF file.
        case dav1d
        /// This library's decoder of PNG, with its own inflater and igzip (the inflater of Intel's ISA-L library).
        case png
        /// This library's decoder of TIFF. Data that were compressed with Deflate are decoded as in PNG files, and JPEG
        /// data are decoded by this library's decoder of JPEG.
        case tiff
        /// This library's decoder of GIF.
        case gif

        /// Whether the decoder belongs to another library, written in C. Faults in C can corrupt memory, so such
        /// decoders may have to run in a separate process (`Isolation.untrusted`).
        var isForeign: Bool {
            switch self {
            case .vips, .webp, .de265, .libavcodec, .dav1d: true
            case .jpeg, .bmp, .png, .tiff, .gif: false
            }
        }
    }

    /// The pixels of the rendered image.
    public var bitmap: Bitmap
    /// The source of the pixels: a preview in the file, or a decode of the image at reduced or full size.
    public var source: Source
    /// The scale of the decode in eighths; 8 is full size.
    public var eighths: Int
    /// The decoder that made the pixels.
    public var decoder: Decoder
    /// Whether the file was damaged and only a part of the image could be decoded.
    public var isPartial: Bool
    /// The placeholder hash of the whole picture that the file shows, even if the bitmap shows only a part of that
    /// picture. Nil if no hash was requested, and for partial images.
    public var thumbHash: ThumbHash?

    /// Makes a rendered image from its parts, without a `ThumbHash`.
    public init(bitmap: Bitmap, source: Source, eighths: Int, decoder: Decoder, isPartial: Bool = false) {
        self.bitmap = bitmap
        self.source = source
        self.eighths = eighths
        self.decoder = decoder
        self.isPartial = isPartial
    }

    /// The same image with a `ThumbHash`. A partial image gets no hash, because a placeholder made from it would
    /// misrepresent the photograph.
    func with(_ hash: ThumbHash) -> RenderedImage {
        var image = self
        image.thumbHash = isPartial ? nil : hash
        return image
    }
}
