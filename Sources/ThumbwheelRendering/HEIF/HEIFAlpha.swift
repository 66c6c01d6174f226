import ThumbwheelCore
import ThumbwheelFormats

/// The decoded samples of an alpha item.
struct HEIFAlpha {
    /// The bytes of the samples.
    private(set) var samples: [UInt8] = []
    let size: PixelSize
    let bytesPerSample: Int

    /// Makes an alpha of one opaque sample, which is stretched over the picture. It takes the place of a damaged alpha.
    init(opaqueWithBytesPerSample bytesPerSample: Int) {
        samples = [UInt8](repeating: .max, count: bytesPerSample)
        size = PixelSize(width: 1, height: 1)
        self.bytesPerSample = bytesPerSample
    }

    /// Decodes the alpha of a picture as a whole.
    ///
    /// - Parameter keepsAllBits: whether samples of 16 bits are kept instead of 8 bits.
    /// - Returns: nil if this library does not support the alpha.
    /// - Throws: the error that ended the decode.
    init?(
        _ bytes: any ByteSource, _ item: HEIFImage, of picture: HEIFImage, _ options: TiledDecode.Options,
        keepsAllBits: Bool, limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        // The memory of the decode is predicted from the size of the picture.
        let largest = item.tileSize.pixelCount > item.canvas.pixelCount ? item.tileSize : item.canvas
        guard largest.pixelCount <= max(picture.canvas.pixelCount, picture.tileSize.pixelCount) else {
            throw .malformed(reason: "an alpha of \(largest) in a picture of \(picture.canvas)")
        }
        guard let decode = try TiledDecode(bytes, item, options, limits: limits, guardian: guardian) else {
            return nil
        }
        let width = keepsAllBits ? 2 : 1
        (size, bytesPerSample) = (decode.size, width)
        guard size.pixelCount <= limits.memoryByteCount / width else { throw .limitExceeded(limit: .memory) }
        let (step, rowLength) = (decode.scales.planes.count * width, size.width)
        var samples: [UInt8] = []
        samples.reserveCapacity(size.pixelCount * width)
        let end = decode.forEachPixelRow(in: 0..<size.height, bytesPerSample: width) { row in
            // If the alpha item is a colour picture, its red samples are taken.
            for x in 0..<rowLength {
                for byte in 0..<width { samples.append(row[x &* step &+ byte]) }
            }
        }
        if let error = end.error { throw error }
        self.samples = samples
    }
}
