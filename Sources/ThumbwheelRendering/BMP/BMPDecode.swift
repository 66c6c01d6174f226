import ThumbwheelCore

/// A decode of a Windows or OS/2 bitmap, which reads a few rows of the file at a time.
///
/// Most bitmaps are stored from the bottom up, so a file that is cut short lacks the top of the picture. The decode
/// delivers the missing rows in neutral grey, and then an error with the fraction of the picture that was decoded.
final class BMPDecode: RowDecoder {
    /// The number of bytes of pixel rows to read from the file at a time. A row that is longer than this is read as a
    /// whole.
    private static let bandByteCount = 64 << 10
    /// The largest width or height, in pixels; larger bitmaps are refused. The decode's memory grows with the width and
    /// the height that the header states, even if the file contains only a few of the pixels.
    private static let sideLimit = 1 << 18

    private let source: any ByteSource
    private let layout: BMPLayout
    private let guardian: DecodeGuard
    private var line: [UInt8]
    private(set) var reachedEnd = false

    var size: PixelSize { layout.size }
    var storedSize: PixelSize { layout.size }
    var channels: Int { layout.hasAlpha ? 4 : 3 }
    var eighths: Int { 8 }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { .bmp }

    init(_ source: any ByteSource, limits: RenderLimits, guardian: DecodeGuard) throws(RenderError) {
        self.source = source
        self.guardian = guardian
        layout = try BMPLayout(source)
        guard layout.size.pixelCount <= limits.pixelCount, max(layout.size.width, layout.size.height) <= Self.sideLimit
        else { throw .limitExceeded(limit: .pixels) }
        line = Array(repeating: 255, count: layout.size.width * (layout.hasAlpha ? 4 : 3))
    }

    var profile: [UInt8]? {
        guard let range = layout.profileRange, range.upperBound <= source.byteCount else { return nil }
        return try? source.bytes(in: range)
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        var count = 0
        do throws(RenderError) {
            let available =
                switch layout.coding {
                case .plain: try forEachPlainRow(in: rows, counting: &count, body)
                case .runs: try forEachRowOfRuns(in: rows, counting: &count, body)
                }
            guard available < size.height else { return (count, nil) }
            reachedEnd = true
            let missing = layout.isTopDown ? available..<size.height : 0..<size.height - available
            guard missing.overlaps(rows) else { return (count, nil) }
            let fraction = Double(available) / Double(size.height)
            return (count, .truncated(decodedFraction: fraction))
        } catch {
            return (count, error)
        }
    }

    /// Reads the given rows of an uncompressed bitmap, and calls `body` with each of them from top to bottom. Each call
    /// of `body` adds 1 to `count`.
    ///
    /// - Returns: how many rows of the bitmap are complete in the file, whether or not they are among the given rows.
    ///   If the file is cut short, the number is smaller than the height of the bitmap.
    private func forEachPlainRow(
        in rows: Range<Int>, counting count: inout Int, _ body: (UnsafePointer<UInt8>) -> Void
    ) throws(RenderError) -> Int {
        let bytesPerRow = layout.bytesPerRow
        let available = min(size.height, max(0, source.byteCount - layout.pixelOffset) / bytesPerRow)
        guard available > 0 else { return 0 }
        let bandHeight = max(1, Self.bandByteCount / bytesPerRow)
        var top = rows.lowerBound
        while top < rows.upperBound {
            try guardian.check()
            let bottom = min(rows.upperBound, top + bandHeight)
            // The rows to read, numbered in the order of the file. If the bitmap is stored from the bottom up, its
            // lowest row has the number 0.
            let stored = layout.isTopDown ? top..<bottom : size.height - bottom..<size.height - top
            let band = try bytes(
                in: layout.pixelOffset + stored.lowerBound * bytesPerRow..<layout.pixelOffset + min(
                    stored.upperBound, max(stored.lowerBound, available)) * bytesPerRow)
            for row in top..<bottom {
                let place = (layout.isTopDown ? row : size.height - 1 - row) - stored.lowerBound
                if (place + 1) * bytesPerRow <= band.count {
                    expand(band[place * bytesPerRow..<(place + 1) * bytesPerRow])
                } else {
                    makeGrey()
                }
                line.withUnsafeBufferPointer { body($0.baseAddress!) }
                count += 1
            }
            top = bottom
        }
        return available
    }

    private func forEachRowOfRuns(
        in rows: Range<Int>, counting count: inout Int, _ body: (UnsafePointer<UInt8>) -> Void
    ) throws(RenderError) -> Int {
        var runs = try BMPRuns(source, layout, guardian: guardian)
        guard runs.rowCount > 0 else { return 0 }
        var indices = [UInt8](repeating: 0, count: size.width)
        for row in rows {
            try guardian.check()
            let stored = size.height - 1 - row
            if stored < runs.rowCount {
                try runs.unpack(row: stored, into: &indices)
                for column in indices.indices { setColor(Int(indices[column]), at: column) }
            } else {
                makeGrey()
            }
            line.withUnsafeBufferPointer { body($0.baseAddress!) }
            count += 1
        }
        return runs.rowCount
    }

    private func bytes(in range: Range<Int>) throws(RenderError) -> [UInt8] {
        do throws(ByteSourceError) {
            return try source.bytes(in: range)
        } catch {
            throw .source(error)
        }
    }

    private func makeGrey() {
        for index in line.indices { line[index] = layout.hasAlpha && index % 4 == 3 ? 255 : 128 }
    }

    private func setColor(_ index: Int, at column: Int) {
        for channel in 0..<3 { line[column * 3 + channel] = layout.palette[index * 3 + channel] }
    }

    /// Expands a stored row to 8-bit samples, and writes them to `line`.
    private func expand(_ row: ArraySlice<UInt8>) {
        let start = row.startIndex
        switch layout.bitsPerPixel {
        case 24:
            for offset in stride(from: 0, to: line.count, by: 3) {
                line[offset] = row[start + offset + 2]
                line[offset + 1] = row[start + offset + 1]
                line[offset + 2] = row[start + offset]
            }
        case 16, 32:
            let bytesPerPixel = layout.bitsPerPixel / 8
            let masks = layout.channelMasks
            for column in 0..<size.width {
                var pixel: UInt32 = 0
                for byte in 0..<bytesPerPixel {
                    pixel |= UInt32(row[start + column * bytesPerPixel + byte]) << UInt32(8 * byte)
                }
                for channel in masks.indices { line[column * masks.count + channel] = masks[channel].level(of: pixel) }
            }
        default:
            let bits = layout.bitsPerPixel
            for column in 0..<size.width {
                let bit = column * bits
                let byte = Int(row[start + bit / 8])
                setColor(byte >> (8 - bits - bit % 8) & (1 << bits - 1), at: column)
            }
        }
    }
}
