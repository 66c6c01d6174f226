/// Chooses the size of the pieces in which a WebP file is decoded. Decoding a piece should take about a millisecond.
/// That is hard to plan, because some rows take a few bytes and others thousands.
struct WebPPieces {
    /// The size of a typical piece of a lossy picture: as many bytes as `pixels` pixels take, but at most `bytes`
    /// bytes.
    private static let mostOfLossy = (bytes: 8 << 10, pixels: 1 << 16)
    /// The number of pixels that a typical piece of a lossless picture should contain, however many bytes they take.
    ///
    /// At the end of each piece of a lossless picture, libwebp goes back by up to eight rows, and decodes them again
    /// with the next piece. So pieces of two rows, which take 8 KB in photographs, would make libwebp decode each row
    /// four times. With pieces of 32 rows, a decode takes an eighth longer than in one piece.
    private static let pixelsOfLossless = 1 << 17
    /// The least number of bytes of a piece. Without it, the pieces of a blank picture would be tiny, because many
    /// megapixels of such a picture take a few kilobytes.
    private static let least = 64

    private let typicalByteCount: Int
    private let typicalRowCount: Int
    /// The number of bytes of the next piece.
    private(set) var byteCount: Int

    /// - Parameters:
    ///   - rowByteCount: the number of bytes of the rows' data, without the data that come before the rows.
    ///   - pixelCount: the number of pixels of the picture at full size.
    ///   - height: the height of the decoded picture in pixels.
    init(rowByteCount: Int, pixelCount: Int, height: Int, isLossless: Bool = false) {
        let pixels = isLossless ? Self.pixelsOfLossless : Self.mostOfLossy.pixels
        func share(of whole: Int) -> Int { whole * pixels / max(1, pixelCount) }
        typicalByteCount = min(max(share(of: rowByteCount), Self.least), isLossless ? .max : Self.mostOfLossy.bytes)
        typicalRowCount = max(1, share(of: height))
        byteCount = typicalByteCount
    }

    /// Adapts the size of the next piece to the number of rows that the last piece completed.
    mutating func completed(rowCount: Int) {
        if rowCount == 0 {
            // Until a lossless picture's tables are complete, libwebp reads the tables from their start whenever it
            // gets a piece. If pieces grow, the total work stays in proportion to the size of the file.
            byteCount *= 2
        } else if rowCount > 2 * typicalRowCount {
            byteCount = max(min(byteCount, typicalByteCount) / 2, Self.least)
        } else {
            byteCount = min(rowCount < typicalRowCount ? 2 * byteCount : byteCount, typicalByteCount)
        }
    }
}
