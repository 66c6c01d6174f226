import ThumbwheelCore

/// Averages blocks of whole pixels. The rows of a decoded image are added one by one.
///
/// The grid of blocks begins at the image's upper left corner, so a pixel's coordinates divided by the size of a block
/// give its block. An incomplete block at the right or lower edge is averaged over the pixels that it has.
struct BoxReducer {
    private let reduction: BoxReduction
    private let channels: Int
    private let columns: Range<Int>
    private let decodedSize: PixelSize
    private var nextRow: Int
    private var rowsInBlock = 0
    // For each column and channel, the sum over the rows of the current block. The sum of 256 rows of bytes fits 16
    // bits.
    private var sums: [UInt16]
    private var averages: [UInt16]

    /// - Parameters:
    ///   - columns: the columns of blocks that are needed.
    ///   - firstRow: the first row that will be added, which must be the first of its block.
    init(reduction: BoxReduction, channels: Int, columns: Range<Int>, decodedSize: PixelSize, firstRow: Int) {
        precondition(firstRow % reduction.vertical == 0)
        self.reduction = reduction
        self.channels = channels
        self.columns = columns
        self.decodedSize = decodedSize
        nextRow = firstRow
        let across = reduction.horizontal
        let pixels = min(columns.upperBound * across, decodedSize.width) - columns.lowerBound * across
        sums = Array(repeating: 0, count: pixels * channels)
        averages = Array(repeating: 0, count: columns.count * 3)
    }

    /// Adds a row of the decoded image. If the row completes a row of blocks, returns the averages of those blocks as
    /// RGB samples, multiplied by 256.
    mutating func add(_ row: UnsafePointer<UInt8>) -> [UInt16]? {
        let source = row + columns.lowerBound * reduction.horizontal * channels
        let isFirst = rowsInBlock == 0
        sums.withUnsafeMutableBufferPointer { sums in
            if isFirst {
                for index in 0..<sums.count { sums[index] = UInt16(source[index]) }
            } else {
                for index in 0..<sums.count { sums[index] &+= UInt16(source[index]) }
            }
        }
        nextRow += 1
        rowsInBlock += 1
        guard rowsInBlock == reduction.vertical || nextRow == decodedSize.height else { return nil }
        average()
        rowsInBlock = 0
        return averages
    }

    private mutating func average() {
        let channels = channels
        let pixelCount = sums.count / channels
        let reduction = reduction.horizontal
        let full = 256 / Float(reduction * rowsInBlock)
        sums.withUnsafeBufferPointer { sums in
            averages.withUnsafeMutableBufferPointer { averages in
                var start = 0
                for block in 0..<columns.count {
                    let end = min(start + reduction, pixelCount)
                    let scale = end - start == reduction ? full : 256 / Float((end - start) * rowsInBlock)
                    for channel in 0..<3 {
                        var sum: UInt32 = 0
                        var index = start &* channels &+ (channels == 3 ? channel : 0)
                        for _ in start..<end {
                            sum &+= UInt32(sums[index])
                            index &+= channels
                        }
                        averages[block &* 3 &+ channel] = UInt16(min(65535, Float(sum) * scale + 0.5))
                    }
                    start = end
                }
            }
        }
    }
}
