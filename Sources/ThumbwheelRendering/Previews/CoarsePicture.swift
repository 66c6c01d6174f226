import ThumbwheelCore

/// A picture, or its upper part, reduced to means of blocks: enough to tell it from another.
///
/// It is made row by row. The means of any rectangle follow from sums over all blocks above it and to its left.
final class CoarsePicture: RowConsumer {
    /// The largest number of blocks along the longer side.
    private static let mostBlocks = 256

    let neededRows: Range<Int>
    /// The number of pixels across and down a block.
    let reduction: Int
    private let channels: Int
    private let columnCount: Int
    // The sums of the row of blocks that is being filled: red, green and blue.
    private var sums: [Int32]
    private var rowsInBlock = 0
    private(set) var rowCount = 0
    /// Luma, redness and blueness, as sums over all blocks above and to the left.
    private var tables: [[Float]]

    /// - Parameters:
    ///   - size: the size of the whole picture, of which the lower rows need not come.
    ///   - channels: bytes per pixel; alpha is ignored.
    init(size: PixelSize, channels: Int) {
        reduction = max(1, (max(size.width, size.height) + Self.mostBlocks - 1) / Self.mostBlocks)
        self.channels = channels
        columnCount = size.width / reduction
        neededRows = 0..<size.height
        sums = Array(repeating: 0, count: 3 * columnCount)
        let empty = [Float](repeating: 0, count: columnCount + 1)
        tables = [empty, empty, empty]
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        let step = channels >= 3 ? 1 : 0
        sums.withUnsafeMutableBufferPointer { sums in
            var pixel = row
            for block in 0..<columnCount {
                var (red, green, blue) = (Int32(0), Int32(0), Int32(0))
                for _ in 0..<reduction {
                    red &+= Int32(pixel[0])
                    green &+= Int32(pixel[step])
                    blue &+= Int32(pixel[2 &* step])
                    pixel += channels
                }
                sums[3 &* block] &+= red
                sums[3 &* block &+ 1] &+= green
                sums[3 &* block &+ 2] &+= blue
            }
        }
        rowsInBlock += 1
        if rowsInBlock == reduction { finishRow() }
    }

    private func finishRow() {
        let share = 1 / Float(reduction * reduction)
        var totals = SIMD3<Float>()
        let above = rowCount * (columnCount + 1)
        for table in tables.indices { tables[table].append(0) }
        for block in 0..<columnCount {
            let red = Float(sums[3 * block]) * share
            let green = Float(sums[3 * block + 1]) * share
            let blue = Float(sums[3 * block + 2]) * share
            // Centred on 0, so that the sums stay precise enough.
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue - 128
            totals += SIMD3(luma, red - 128 - luma, blue - 128 - luma)
            for table in tables.indices { tables[table].append(tables[table][above + block + 1] + totals[table]) }
        }
        for index in sums.indices { sums[index] = 0 }
        rowsInBlock = 0
        rowCount += 1
    }

    /// Forgets all rows after the first `count`.
    func drop(behind count: Int) { rowCount = min(rowCount, max(0, count) / reduction) }

    /// A property of colour whose means can be compared.
    enum Aspect: Int, CaseIterable {
        case luma, redness, blueness
    }

    /// The means of a rectangle's cells, row by row.
    ///
    /// - Parameter box: the rectangle in pixels of the rows that came; its part outside is cut off.
    func means(_ aspect: Aspect = .luma, of box: SourceBox, columns: Int, rows: Int) -> [Float] {
        let across = borders(box.x, box.width, count: columns, limit: columnCount)
        let down = borders(box.y, box.height, count: rows, limit: rowCount)
        var means: [Float] = []
        means.reserveCapacity(columns * rows)
        tables[aspect.rawValue].withUnsafeBufferPointer { table in
            func sums(above border: Border) -> [Float] {
                let row = border.block * (columnCount + 1)
                let next = border.part > 0 ? row + columnCount + 1 : row
                return across.map { column in
                    let right = column.part > 0 ? 1 : 0
                    let place = row + column.block
                    let below = next + column.block
                    let upper = table[place] + (table[place + right] - table[place]) * column.part
                    let lower = table[below] + (table[below + right] - table[below]) * column.part
                    return upper + (lower - upper) * border.part
                }
            }
            var above = sums(above: down[0])
            for row in 1...rows {
                let below = sums(above: down[row])
                let height = down[row].place - down[row - 1].place
                for column in 1...columns {
                    let area = height * (across[column].place - across[column - 1].place)
                    let sum = below[column] - below[column - 1] - above[column] + above[column - 1]
                    means.append(area > 1e-6 ? sum / area : 0)
                }
                above = below
            }
        }
        return means
    }

    /// The border between two cells: the block that it crosses, and how much of that block lies before it.
    private struct Border {
        let block: Int
        let part: Float
        let place: Float
    }

    private func borders(_ start: Double, _ length: Double, count: Int, limit: Int) -> [Border] {
        let first = max(0, min(Double(limit), start / Double(reduction)))
        let last = max(first, min(Double(limit), (start + length) / Double(reduction)))
        return (0...count).map { index in
            let place = first + (last - first) * Double(index) / Double(count)
            let block = min(Int(place), limit)
            return Border(block: block, part: Float(place - Double(block)), place: Float(place))
        }
    }
}
