import ThumbwheelCore

/// A picture, or the upper part of one, reduced to means of blocks. The means are enough to tell the picture from other
/// pictures.
///
/// The rows of the picture are added one by one. For each block, the sum over all blocks above it and to its left is
/// kept, so the mean of any rectangle can be computed from the sums at its corners.
final class CoarsePicture: RowConsumer {
    /// Sums of luma, of red minus luma, and of blue minus luma. The fourth element is 0.
    private typealias Sums = SIMD4<Float>

    let neededRows: Range<Int>
    /// The side of a block in pixels.
    let reduction: Int
    private let channels: Int
    private let columnCount: Int
    private let rowLimit: Int
    // The sums of red, green and blue for each block in the row of blocks that is being filled.
    private let sums: UnsafeMutablePointer<Int32>
    private var rowsInBlock = 0
    private(set) var rowCount = 0
    /// The sums over all blocks above and to the left of each corner of a block, in `rowCount` + 1 rows of
    /// `columnCount` + 1 corners.
    private let totals: UnsafeMutablePointer<Sums>

    /// - Parameters:
    ///   - size: the width of the rows, and the largest number of rows that will be added, in pixels.
    ///   - channels: the number of bytes of a pixel; alpha is ignored.
    init(size: PixelSize, channels: Int, reduction: Int) {
        self.reduction = reduction
        self.channels = channels
        columnCount = size.width / reduction
        rowLimit = size.height / reduction
        neededRows = 0..<size.height
        sums = .allocate(capacity: 3 * columnCount)
        sums.initialize(repeating: 0, count: 3 * columnCount)
        totals = .allocate(capacity: (columnCount + 1) * (rowLimit + 1))
        totals.initialize(repeating: .zero, count: columnCount + 1)
    }

    /// Returns the smallest side of a block, in pixels, with which a picture has at most `blockLimit` blocks along its
    /// longer side.
    static func reduction(of size: PixelSize, blockLimit: Int) -> Int {
        max(1, (max(size.width, size.height) + blockLimit - 1) / blockLimit)
    }

    deinit {
        sums.deallocate()
        totals.deallocate()
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        guard rowCount < rowLimit else { return }
        let step = channels >= 3 ? 1 : 0
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
        rowsInBlock += 1
        if rowsInBlock == reduction { finishRow() }
    }

    private func finishRow() {
        let share = 1 / Float(reduction * reduction)
        var total = Sums.zero
        let above = totals + rowCount * (columnCount + 1) + 1
        let target = above + columnCount + 1
        (target - 1).initialize(to: .zero)
        for block in 0..<columnCount {
            let red = Float(sums[3 &* block]) * share
            let green = Float(sums[3 &* block &+ 1]) * share
            let blue = Float(sums[3 &* block &+ 2]) * share
            // Luma is centred on 0, so that the sums stay precise enough.
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue - 128
            total += Sums(luma, red - 128 - luma, blue - 128 - luma, 0)
            (target + block).initialize(to: above[block] + total)
        }
        sums.update(repeating: 0, count: 3 * columnCount)
        rowsInBlock = 0
        rowCount += 1
    }

    /// Removes the last rows of pixels, so that at most the first `count` rows remain. If a row of blocks has lost some
    /// of its rows, the whole row of blocks is removed.
    func drop(behind count: Int) {
        rowCount = min(rowCount, max(0, count) / reduction)
        rowsInBlock = 0
        sums.update(repeating: 0, count: 3 * columnCount)
    }

    /// Divides a rectangle into `columns` times `rows` equal cells. For each cell, row by row, writes the means of
    /// luma, of red minus luma, and of blue minus luma.
    ///
    /// - Parameters:
    ///   - box: the rectangle, in pixels of the rows that were added; parts outside these rows are cut off.
    ///   - means: memory for the means of all cells.
    func writeMeans(
        of box: SourceBox, columns: Int, rows: Int, to means: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        precondition(columns > 0 && rows > 0 && means.count >= columns * rows)
        let across = Borders(box.x, box.width, count: columns, limit: columnCount, reduction: reduction)
        let down = Borders(box.y, box.height, count: rows, limit: rowCount, reduction: reduction)
        withUnsafeTemporaryAllocation(of: Sums.self, capacity: 2 * (columns + 1)) { lines in
            writeSums(above: down[0], across, to: lines.baseAddress!)
            for row in 0..<rows {
                let above = lines.baseAddress! + (row & 1) * (columns + 1)
                let below = lines.baseAddress! + (~row & 1) * (columns + 1)
                writeSums(above: down[row + 1], across, to: below)
                let area = down.step * across.step
                let share = area > 1e-6 ? 1 / area : 0
                for column in 0..<columns {
                    let sum = below[column + 1] - below[column] - above[column + 1] + above[column]
                    means[row * columns + column] = sum * share
                }
            }
        }
    }

    /// For each vertical border in `across`, writes the sum of the means of all blocks that lie above the horizontal
    /// border `border` and to the left of the vertical border. A block through which a border runs counts with the
    /// fraction of its area on that side.
    private func writeSums(above border: Borders.Border, _ across: Borders, to line: UnsafeMutablePointer<Sums>) {
        let pitch = columnCount + 1
        let upper = totals + border.block * pitch
        let lower = border.part > 0 ? upper + pitch : upper
        for index in 0...across.count {
            let column = across[index]
            let right = column.part > 0 ? column.block + 1 : column.block
            let first = upper[column.block] + (upper[right] - upper[column.block]) * column.part
            let second = lower[column.block] + (lower[right] - lower[column.block]) * column.part
            line[index] = first + (second - first) * border.part
        }
    }

    /// The borders between the cells of a rectangle, along one axis. Cells are equal parts of the rectangle.
    private struct Borders {
        /// The place of a border between two cells. `block` is the index of the block that the border crosses. `part`
        /// is the fraction of this block to the left of a vertical border, or above a horizontal border.
        struct Border {
            let block: Int
            let part: Float
        }

        let count: Int
        /// The length of a cell along this axis, measured in side lengths of the picture's blocks.
        let step: Float
        private let first: Double
        private let length: Double
        private let limit: Int

        init(_ start: Double, _ length: Double, count: Int, limit: Int, reduction: Int) {
            let first = max(0, min(Double(limit), start / Double(reduction)))
            let last = max(first, min(Double(limit), (start + length) / Double(reduction)))
            self.first = first
            self.length = last - first
            self.count = count
            self.limit = limit
            step = Float((last - first) / Double(count))
        }

        subscript(_ index: Int) -> Border {
            let place = index == count ? first + length : first + length * Double(index) / Double(count)
            let block = min(Int(place), limit)
            return Border(block: block, part: Float(place - Double(block)))
        }
    }
}
