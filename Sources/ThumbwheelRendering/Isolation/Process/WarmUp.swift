import ThumbwheelCore

/// Makes decoders load their tables, and libheif its plugins, before the first job. Otherwise they would be loaded on
/// first use, when a decoder process cannot open files any more.
enum WarmUp {
    /// Decodes tiny files on the calling thread, because decoders load their tables and plugins when they decode for
    /// the first time.
    static func run() {
        _ = ColorTransform.adobeRGB
        _ = try? Renderer().render(
            MemoryByteSource(webP), options: RenderOptions(targetSize: PixelSize(width: 2, height: 2)))
        // Makes libheif load its plugins, which it does when it opens its first file. A file without a picture is
        // enough.
        let bytes = MemoryByteSource(heifWithoutPicture)
        let guardian = DecodeGuard(cancellation: nil, duration: .seconds(5))
        _ = try? VipsDecode(
            bytes, loader: .heif, eighths: 8, tolerance: .all, convertsProfile: false, guardian: guardian)
    }

    /// A lossy WebP of one pixel.
    private static let webP: [UInt8] =
        Array("RIFF".utf8) + [0x24, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [
            0x18, 0, 0, 0, 0x30, 0x01, 0x00, 0x9d, 0x01, 0x2a, 0x01, 0x00, 0x01, 0x00, 0x02, 0x00, 0x34, 0x25, 0xa4,
            0x00,
            0x03, 0x70, 0x00, 0xfe, 0xfb, 0xfd, 0x50, 0x00,
        ]

    /// A HEIF file without a picture: it has only the first box, which names the type of the file.
    private static let heifWithoutPicture: [UInt8] =
        [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)
}
