/// How many bytes of a WebP file are decoded at once: about a millisecond's work, though a row may take a few bytes here and
/// thousands there.
struct WebPPieces {
    /// Bytes and pixels of a piece.
    private static let most = (bytes: 8 << 10, pixels: 1 << 16)
    /// A blank picture of many megapixels is a few kilobytes.
    private static let least = 64

    private let typicalByteCount: Int
    private let typicalRowCount: Int
    /// Of the next piece.
    private(set) var byteCount: Int

    /// - Parameters:
    ///   - rowByteCount: of what follows all that makes no rows.
    ///   - height: of the picture as it is decoded.
    init(rowByteCount: Int, pixelCount: Int, height: Int) {
        func share(of whole: Int) -> Int { whole * Self.most.pixels / max(1, pixelCount) }
        typicalByteCount = min(max(share(of: rowByteCount), Self.least), Self.most.bytes)
        typicalRowCount = max(1, share(of: height))
        byteCount = typicalByteCount
    }

    /// After a piece that completed so many rows.
    mutating func completed(rowCount: Int) {
        if rowCount == 0 {
            // While a lossless picture's tables are incomplete, each piece begins with them anew: pieces that grow keep
            // that work in proportion to the file.
            byteCount *= 2
        } else if rowCount > 2 * typicalRowCount {
            byteCount = max(min(byteCount, typicalByteCount) / 2, Self.least)
        } else {
            byteCount = min(rowCount < typicalRowCount ? 2 * byteCount : byteCount, typicalByteCount)
        }
    }
}
