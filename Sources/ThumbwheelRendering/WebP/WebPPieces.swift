/// Chooses the size of the pieces in which a WebP file is decoded. Decoding a piece should take about a millisecond.
/// That is hard to plan, because some rows take a few bytes and others thousands.
struct WebPPieces {
    /// The size of a typical piece of a lossy picture that is handed to libwebp: the number of bytes that `pixels`
    /// pixels take on average in this file, but at most `bytes` bytes.
    private static let limitsOfLossy = (bytes: 8 << 10, pixels: 1 << 16)
    /// The number of pixels in a typical piece of the file that is handed to libwebp, for a lossless picture. Such a
    /// piece may have any number of bytes.
    ///
    /// Small pieces are slow. At the end of each piece of a lossless picture, libwebp goes back by up to eight rows,
    /// and decodes these rows again with the next piece. Two examples for photographs:
    /// - A piece of 8 KB, as for a lossy picture, has two rows. Each row would be decoded four times.
    /// - With pieces of 32 rows, the whole decode takes only an eighth longer than in one piece.
    private static let pixelsOfLossless = 1 << 17
    /// The least number of bytes of a piece. The size of a piece follows from the file's average number of bytes per
    /// pixel. Many megapixels of a blank picture take only a few kilobytes, so its pieces would be tiny without this
    /// limit.
    private static let minimumByteCount = 64

    private let typicalByteCount: Int
    private let typicalRowCount: Int
    /// The number of bytes of the next piece.
    private(set) var byteCount: Int

    /// - Parameters:
    ///   - rowByteCount: the number of bytes of the rows' data, without the data that come before the rows.
    ///   - pixelCount: the number of pixels of the picture at full size.
    ///   - height: the height of the decoded picture in pixels.
    init(rowByteCount: Int, pixelCount: Int, height: Int, isLossless: Bool = false) {
        let pixels = isLossless ? Self.pixelsOfLossless : Self.limitsOfLossy.pixels
        func share(of whole: Int) -> Int { whole * pixels / max(1, pixelCount) }
        typicalByteCount = min(
            max(share(of: rowByteCount), Self.minimumByteCount), isLossless ? .max : Self.limitsOfLossy.bytes)
        typicalRowCount = max(1, share(of: height))
        byteCount = typicalByteCount
    }

    /// Adapts the size of the next piece to the number of rows that the last piece completed.
    mutating func completed(rowCount: Int) {
        if rowCount == 0 {
            // Doubles the size of the next piece, because no row was completed. This occurs while the tables of a
            // lossless picture are incomplete. Then libwebp reads all tables from their start with every piece. With
            // pieces of doubling size, the total work stays in proportion to the size of the file.
            byteCount *= 2
        } else if rowCount > 2 * typicalRowCount {
            byteCount = max(min(byteCount, typicalByteCount) / 2, Self.minimumByteCount)
        } else {
            byteCount = min(rowCount < typicalRowCount ? 2 * byteCount : byteCount, typicalByteCount)
        }
    }
}
