import ThumbwheelCore

/// Decodes that load what decoders load on first use: tables, and the plugins of libheif.
enum WarmUp {
    /// Runs every decoder once, on the calling thread. Most of the decodes fail, after the decoder has been loaded.
    static func run() {
        _ = ColorTransform.adobeRGB
        for picture in [webP, heif("avif"), heif("heic")] {
            _ = try? Renderer().render(
                MemoryByteSource(picture), options: RenderOptions(targetSize: PixelSize(width: 2, height: 2)))
        }
        // libheif loads its plugins when it opens its first file, even if that file turns out to be empty.
        let bytes = MemoryByteSource(heif("heic"))
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

    /// The first box of a HEIF file, without the boxes of a picture.
    private static func heif(_ brand: String) -> [UInt8] {
        [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0] + Array("mif1\(brand)".utf8)
    }
}
