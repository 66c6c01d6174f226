import ThumbwheelCore
import ThumbwheelFormats

/// Decodes a TIFF's first page, or a smaller version of that page. Strips or tiles that lie side by side are decoded
/// together, a few rows at a time.
final class TIFFDecode: RowDecoder {
    private let opening: TIFFOpening
    private let opener: TIFFBlockOpener
    private let guardian: DecodeGuard
    // The strip or tile that was opened on creation to find out whether the decoder supports its stream; nil once it
    // has been used.
    private var first: (row: Int, column: Int, block: any TIFFBlock)?
    private var columns: Range<Int>
    var size: PixelSize { opening.size }
    var exactScale: (horizontal: Double, vertical: Double)? { opening.exactScale }
    var storedSize: PixelSize { opening.storedSize }
    var channels: Int { opener.format.channels }
    var bytesPerSample: Int { opener.bytesPerSample }
    var eighths: Int { 8 }
    var reachedEnd: Bool { false }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { .tiff }
    var profile: [UInt8]? { opening.profile }

    /// Opens one strip or tile that is likely to be needed.
    ///
    /// - Returns: nil for a compressed stream that the decoder does not support.
    init?(_ opening: TIFFOpening, guardian: DecodeGuard) throws(RenderError) {
        self.opening = opening
        opener = opening.opener
        self.guardian = guardian
        columns = 0..<opening.opener.picture.columnCount
        let place = opening.firstPlace
        try guardian.check()
        guard let block = try opener.block(row: place.row, column: place.column) else { return nil }
        first = (place.row, place.column, block)
    }

    func narrow(to columns: Range<Int>) {
        let width = opener.blockSize.width
        let needed = columns.clamped(to: 0..<size.width)
        guard !needed.isEmpty else { return }
        self.columns = needed.lowerBound / width..<(needed.upperBound - 1) / width + 1
    }

    /// The ranges of the file that contain the profile, and the strips or tiles from which the requested images are
    /// made.
    func neededRanges(_ input: DecoderInput) throws(RenderError) -> [Range<Int>] {
        let (whole, level) = (opening.storedSize, opener.picture)
        let (display, margin) = (input.head.displaySize, input.margin)
        let box = input.region.stored(
            under: input.head.orientation, displayWidth: Double(display.width), displayHeight: Double(display.height))
        func blocks(
            _ start: Double, _ length: Double, _ side: Int, of all: Int, as own: Int, below count: Int
        ) -> Range<Int> {
            let scale = Double(own) / Double(all)
            func block(_ place: Double) -> Int { Int(max(0, min(place * scale, 1e9))) / max(1, side) }
            let first = min(block(start - margin), count - 1)
            return first..<max(first, min(block(start + length + margin), count - 1)) + 1
        }
        let columns = blocks(
            box.x, box.width, level.blockSize.width, of: whole.width, as: level.size.width, below: level.columnCount)
        let rows = blocks(
            box.y, box.height, level.blockSize.height, of: whole.height, as: level.size.height, below: level.rowCount)
        var ranges = [opening.profileRange].compactMap(\.self)
        for row in rows {
            try guardian.check()
            for column in columns { ranges.append(try opener.range(row: row, column: column)) }
        }
        return ranges
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        let (height, groupHeight) = (opener.blockSize.height, opener.groupHeight)
        let band = AlignedPlane<UInt8>(
            pitch: size.width * channels * bytesPerSample + Self.slack, rowCount: groupHeight)
        var y = rows.lowerBound / height * height
        do throws(RenderError) {
            while y < rows.upperBound {
                let end = min(y / height * height + height, rows.upperBound)
                let blocks = try blocks(ofRow: y / height)
                while y < end {
                    try guardian.check()
                    let count = min(groupHeight, end - y)
                    let (made, error) = fill(band, with: blocks, rowCount: count)
                    for index in 0..<made where y + index >= rows.lowerBound { body(band[index]) }
                    y += made
                    if let error { throw error }
                }
            }
            return (rows.count, nil)
        } catch {
            let made = max(0, y - rows.lowerBound)
            guard case .truncated = error else { return (made, error) }
            return (made, .truncated(decodedFraction: Double(y) / Double(size.height)))
        }
    }

    // The decoded rows of the strips or tiles that lie side by side are collected in one buffer, the band. Each row of
    // the band is followed by this number of spare bytes, because converters may write a few bytes too many.
    private static let slack = 8

    private func blocks(ofRow row: Int) throws(RenderError) -> [any TIFFBlock] {
        var blocks: [any TIFFBlock] = []
        for column in columns {
            try guardian.check()
            if let first, first.row == row, first.column == column {
                blocks.append(first.block)
                self.first = nil
            } else if let block = try opener.block(row: row, column: column) {
                blocks.append(block)
            } else {
                throw .malformed(reason: "strips or tiles of several codings")
            }
        }
        return blocks
    }

    /// Decodes the next rows of the strips or tiles that lie side by side.
    ///
    /// - Returns: the number of rows that every strip or tile has completed, and an error. The error is nil if all
    ///   `rowCount` rows are complete. Otherwise it comes from the strip or tile that completed the fewest rows.
    private func fill(
        _ band: borrowing AlignedPlane<UInt8>, with blocks: [any TIFFBlock], rowCount: Int
    ) -> (count: Int, error: RenderError?) {
        var (made, failure) = (rowCount, RenderError?.none)
        for (column, block) in zip(columns, blocks) {
            let x = column * opener.blockSize.width
            let part = block.takeRows(
                rowCount, width: min(opener.blockSize.width, size.width - x),
                into: band.start + x * channels * bytesPerSample,
                pitch: band.pitch)
            if part.count < made { (made, failure) = (part.count, part.error) }
            // No row of the picture can become complete any more.
            if made == 0 { break }
        }
        return (made, failure)
    }
}
