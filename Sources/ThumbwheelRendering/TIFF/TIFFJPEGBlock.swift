import ThumbwheelCore

/// A strip or tile that is a JPEG stream (TIFF Technical Note 2), decoded as a whole.
final class TIFFJPEGBlock: TIFFBlock {
    private let pixels: [UInt8]
    private let bytesPerRow: Int
    private let channels: Int
    private let error: RenderError?
    private var row = 0
    private let rowCount: Int

    /// The settings that all JPEG streams of a picture have in common.
    struct Settings {
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

        /// Returns the stream of a strip or tile as a complete JPEG.
        func stream(of block: [UInt8]) -> [UInt8] { start + Self.contents(block) }

        /// Returns a stream without its start marker.
        private static func contents(_ stream: [UInt8]) -> ArraySlice<UInt8> {
            stream.starts(with: [0xFF, 0xD8]) ? stream[2...] : stream[...]
        }
    }

    /// - Parameter size: the size of the strip or tile in pixels, at full scale.
    /// - Returns: nil for JPEG streams that the decoder does not support.
    init?(_ stream: [UInt8], size: PixelSize, _ settings: Settings) throws(RenderError) {
        guard
            let decode = try JPEGDecode(
                MemoryByteSource(settings.stream(of: stream)), eighths: settings.eighths, guardian: settings.guardian)
        else { return nil }
        // A decode of long data is faster if the data are split into several parts that are decoded in turn. The data
        // of a strip or tile are too short for that.
        decode.splitting = .none
        let rows = JPEGRows(decode)
        guard rows.channels == settings.channels else { return nil }
        let found = rows.storedSize
        guard found.width == size.width, found.height >= size.height else {
            throw .malformed(reason: "a JPEG stream of \(found) for a strip or tile of \(size)")
        }
        channels = rows.channels
        let bytesPerRow = rows.size.width * channels
        self.bytesPerRow = bytesPerRow
        let wantedCount = (size.height * settings.eighths + 7) / 8
        var pixels: [UInt8] = []
        pixels.reserveCapacity(bytesPerRow * wantedCount)
        error =
            rows.forEachRow(in: 0..<wantedCount) { row in
                pixels.append(contentsOf: UnsafeBufferPointer(start: row, count: bytesPerRow))
            }.error
        self.pixels = pixels
        rowCount = pixels.count / bytesPerRow
    }

    func takeRows(
        _ count: Int, width: Int, into target: UnsafeMutablePointer<UInt8>, pitch: Int
    ) -> (count: Int, error: RenderError?) {
        precondition(width * channels <= bytesPerRow)
        let made = min(count, rowCount - row)
        pixels.withUnsafeBufferPointer { pixels in
            for index in 0..<made {
                (target + index * pitch).update(
                    from: pixels.baseAddress! + (row + index) * bytesPerRow, count: width * channels)
            }
        }
        row += made
        guard made < count else { return (count, nil) }
        return (made, error ?? .malformed(reason: "a JPEG stream ends before its last row"))
    }
}
