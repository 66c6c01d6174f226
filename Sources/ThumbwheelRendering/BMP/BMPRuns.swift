import ThumbwheelCore

/// The runs of a compressed bitmap (RLE4 or RLE8), whose rows are stored from the bottom up.
///
/// A first pass through the file records the start of each row, so that the rows can be unpacked from the top down. The
/// record takes 24 bytes for each row. Pixels that no run covers have palette index 0.
struct BMPRuns {
    private struct RowStart {
        var offset: Int
        var column: Int
    }

    private enum Step {
        /// A run of `count` pixels that alternate between two palette indices.
        case run(count: Int, UInt8, UInt8)
        /// A sequence of `count` palette indices that are stored one by one at `offset`.
        case literal(count: Int, offset: Int)
        case endOfRow
        case end
        case move(columns: Int, rows: Int)
    }

    private var window: ByteWindow
    private let layout: BMPLayout
    // The start of each row's data, with rows counted from the bottom. Nil for a row that the data leave out.
    private var starts: [RowStart?]
    /// The number of rows that the file contains completely, counted from the bottom. If the code for the end of the
    /// bitmap comes early, all rows count as complete.
    private(set) var rowCount: Int

    init(_ source: any ByteSource, _ layout: BMPLayout, guardian: DecodeGuard) throws(RenderError) {
        // `window` reads the file in pieces. Before each piece, it asks `guardian` whether the decode must stop. Asking
        // only between two rows would not be enough, because a single row may be as long as the file.
        window = ByteWindow(source, checking: guardian)
        self.layout = layout
        starts = Array(repeating: nil, count: layout.size.height)
        rowCount = layout.size.height
        var offset = layout.pixelOffset
        var column = 0
        var row = 0
        starts[0] = RowStart(offset: offset, column: 0)
        while row < layout.size.height {
            guard let step = try step(at: &offset) else {
                // The row in which the file ends counts as complete only if all its pixels are present.
                rowCount = column >= layout.size.width ? row + 1 : row
                return
            }
            switch step {
            case .run(let count, _, _), .literal(let count, _):
                column += count
                continue
            case .end: return
            case .endOfRow: (column, row) = (0, row + 1)
            case .move(let columns, let rows):
                column += columns
                guard rows > 0 else { continue }
                row += rows
            }
            if row < layout.size.height { starts[row] = RowStart(offset: offset, column: column) }
        }
    }

    /// Unpacks the palette indices of a row, counted from the bottom, into `indices`, which has one element for each
    /// column.
    mutating func unpack(row: Int, into indices: inout [UInt8]) throws(RenderError) {
        for index in indices.indices { indices[index] = 0 }
        guard let start = starts[row] else { return }
        var offset = start.offset
        var column = start.column
        let isNarrow = layout.bitsPerPixel == 4
        // The column never decreases within a row, so the row is finished as soon as the column has passed the last
        // pixel.
        while column < indices.count, let step = try step(at: &offset) {
            switch step {
            case .run(let count, let even, let odd):
                // A run may be longer than the rest of its row.
                for place in column..<max(column, min(column + count, indices.count)) {
                    indices[place] = (place - column) & 1 == 0 ? even : odd
                }
                column += count
            case .literal(let count, let data):
                for place in column..<max(column, min(column + count, indices.count)) {
                    let number = place - column
                    let byte = try window.byte(at: data + (isNarrow ? number / 2 : number)) ?? 0
                    indices[place] = !isNarrow ? byte : number & 1 == 0 ? byte >> 4 : byte & 15
                }
                column += count
            case .endOfRow, .end: return
            case .move(let columns, let rows):
                if rows > 0 { return }
                column += columns
            }
        }
    }

    /// Reads one instruction of the run-length code at `offset`, and moves `offset` to the byte after it. Nil if the
    /// file ends before the instruction does.
    private mutating func step(at offset: inout Int) throws(RenderError) -> Step? {
        guard let first = try window.byte(at: offset), let second = try window.byte(at: offset + 1) else { return nil }
        let isNarrow = layout.bitsPerPixel == 4
        offset += 2
        if first > 0 {
            return .run(
                count: Int(first), isNarrow ? second >> 4 : second, isNarrow ? second & 15 : second)
        }
        switch second {
        case 0: return .endOfRow
        case 1: return .end
        case 2:
            guard let columns = try window.byte(at: offset), let rows = try window.byte(at: offset + 1) else {
                return nil
            }
            offset += 2
            return .move(columns: Int(columns), rows: Int(rows))
        default:
            let byteCount = isNarrow ? (Int(second) + 1) / 2 : Int(second)
            let data = offset
            // Literal indices are padded to an even number of bytes.
            offset += (byteCount + 1) / 2 * 2
            guard try window.byte(at: data + byteCount - 1) != nil else { return nil }
            return .literal(count: Int(second), offset: data)
        }
    }
}
