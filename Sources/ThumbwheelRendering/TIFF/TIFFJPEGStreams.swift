import ThumbwheelCore

/// Opens the JPEG streams of a picture's strips or tiles (TIFF Technical Note 2), which have these settings in common.
struct TIFFJPEGStreams {
    let channels: Int
    /// The scale of the decode, in eighths of full size.
    let eighths: Int
    let guardian: DecodeGuard

    /// The bytes that take the place of each stream's start marker to make a complete JPEG, because the streams
    /// lack tables. They consist of a start marker, an Adobe marker that states the colours, and the tables.
    let start: [UInt8]

    /// - Parameter tables: the tables that the streams lack, in the form of a separate JPEG stream.
    init(
        tables: [UInt8], isLuma: Bool, channels: Int, eighths: Int, guardian: DecodeGuard
    ) {
        let adobe: [UInt8] = [
            0xFF, 0xEE, 0, 14, 0x41, 0x64, 0x6F, 0x62, 0x65, 0, 100, 0, 0, 0, 0, isLuma ? 1 : 0,
        ]
        let hasEnd = tables.suffix(2) == [0xFF, 0xD9]
        start = [0xFF, 0xD8] + adobe + Self.contents(tables).dropLast(hasEnd ? 2 : 0)
        self.channels = channels
        self.eighths = eighths
        self.guardian = guardian
    }

    /// Opens the stream of a strip or tile.
    ///
    /// - Parameters:
    ///   - size: the size of the strip or tile in pixels, at full scale.
    ///   - shownSize: the size of the part of it that belongs to the page.
    /// - Returns: nil for streams that the decoder does not support.
    func decode(
        _ stream: [UInt8], size: PixelSize, shownSize: PixelSize, hasCoarseChroma: Bool
    ) throws(RenderError) -> JPEGDecode? {
        let whole = MemoryByteSource(start + Self.contents(stream))
        guard
            let decode = try JPEGDecode(
                whole, eighths: eighths, hasCoarseChroma: hasCoarseChroma, guardian: guardian),
            decode.scales.planes.count == channels
        else { return nil }
        // A decode of long data is faster if the data are split into several parts that are decoded in turn. The data
        // of a strip or tile are too short for that.
        decode.splitting = .none
        let found = decode.header.frame.size
        guard found.width == size.width, found.height >= size.height else {
            throw .malformed(reason: "a JPEG stream of \(found) for a strip or tile of \(size)")
        }
        decode.shownSize = shownSize
        return decode
    }

    /// Returns a stream without its start marker.
    private static func contents(_ stream: [UInt8]) -> ArraySlice<UInt8> {
        stream.starts(with: [0xFF, 0xD8]) ? stream[2...] : stream[...]
    }
}
