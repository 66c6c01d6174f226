import CVips
import ThumbwheelCore

/// A file format that bitmaps can be written in.
public enum ImageEncoding: Sendable, Hashable {
    /// PNG, which is lossless.
    case png
    /// JPEG without alpha: transparent pixels are blended with white. `quality` is from 1 to 100.
    case jpeg(quality: Int)
    /// Lossy WebP. `quality` is from 1 to 100.
    case webp(quality: Int)
    /// AVIF, smaller than WebP and many times as slow to make. `quality` is from 1 to 100. The encoder is libheif's, which a
    /// system may lack.
    case avif(quality: Int)

    /// The media type of files in this format.
    public var contentType: ContentType {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .avif: .avif
        }
    }
}

extension Bitmap {
    /// Encodes the bitmap as an image file without metadata.
    ///
    /// All encodings write sRGB with 8 bits for each channel. A bitmap in linear light is first converted to such sRGB
    /// (`inStandardRange()`).
    ///
    /// - Parameter encoding: the format of the file.
    /// - Throws: `RenderError.encodingFailed` if the encoder refuses the bitmap.
    public func encoded(as encoding: ImageEncoding) throws(RenderError) -> [UInt8] {
        guard format != .linearRGBA else { return try inStandardRange().encoded(as: encoding) }
        try VipsRuntime.require()
        let bytes = withVipsImage { image -> [UInt8]? in
            switch encoding {
            case .png: Self.saved { tw_vips_pngsave(image.image, $0, $1) }
            case .webp(let quality): Self.saved { tw_vips_webpsave(image.image, $0, $1, Self.clamped(quality)) }
            case .avif(let quality): Self.saved { tw_vips_avifsave(image.image, $0, $1, Self.clamped(quality)) }
            case .jpeg(let quality):
                if format == .rgb {
                    Self.jpeg(image, quality: quality)
                } else if let opaque = VipsHandle({ tw_vips_flatten_on_white(image.image, $0) }) {
                    Self.jpeg(opaque, quality: quality)
                } else {
                    nil
                }
            }
        }
        guard let bytes else { throw .encodingFailed(reason: takeVipsMessage()) }
        return bytes
    }

    private static func jpeg(_ image: borrowing VipsHandle, quality: Int) -> [UInt8]? {
        saved { tw_vips_jpegsave(image.image, $0, $1, clamped(quality)) }
    }

    private static func clamped(_ quality: Int) -> Int32 { Int32(min(100, max(1, quality))) }

    /// Calls a saver of libvips, copies the buffer that the saver allocated, and frees that buffer.
    private static func saved(
        by save: (UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>) -> Int32
    ) -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        guard save(&bytes, &count) == 0, let bytes else { return nil }
        defer { g_free(bytes) }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
