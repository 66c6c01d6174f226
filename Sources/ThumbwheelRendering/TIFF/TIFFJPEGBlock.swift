import ThumbwheelCore

/// A strip or tile that is a JPEG stream (TIFF Technical Note 2), decoded as a whole.
final class TIFFJPEGBlock: TIFFBlock {
    private let pixels: [UInt8]
    private let bytesPerRow: Int
    private let channels: Int
    private let error: RenderError?
    private var row = 0
    private let rowCount: Int

    /// - Parameter height: the number of rows of the strip or tile, at full scale.
    init(_ decode: JPEGDecode, height: Int, _ streams: TIFFJPEGStreams) {
        let rows = JPEGRows(decode)
        channels = rows.channels
        let bytesPerRow = rows.size.width * channels
        self.bytesPerRow = bytesPerRow
        let wantedCount = (height * streams.eighths + 7) / 8
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
