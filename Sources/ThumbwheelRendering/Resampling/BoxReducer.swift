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

    /// Most images have three channels, and most blocks two, three or four columns: these have loops that are compiled
    /// for them.
    private mutating func average() {
        switch (channels, reduction.horizontal) {
        case (3, 2): average(channels: 3, across: 2)
        case (3, 3): average(channels: 3, across: 3)
        case (3, 4): average(channels: 3, across: 4)
        default: average(channels: channels, across: reduction.horizontal)
        }
    }

    @inline(__always)
    private mutating func average(channels: Int, across: Int) {
        let pixelCount = sums.count / channels
        let wholeCount = min(columns.count, pixelCount / across)
        let rowCount = rowsInBlock
        let scale = 256 / Float(across * rowCount)
        sums.withUnsafeBufferPointer { sums in
            averages.withUnsafeMutableBufferPointer { averages in
                guard let target = averages.baseAddress, let samples = sums.baseAddress else { return }
                for block in 0..<wholeCount {
                    let first = samples + block &* across &* channels
                    for channel in 0..<3 {
                        var sum: UInt32 = 0
                        for column in 0..<across {
                            sum &+= UInt32(first[column &* channels &+ (channels == 3 ? channel : 0)])
                        }
                        target[block &* 3 &+ channel] = Self.average(sum, scale)
                    }
                }
                guard wholeCount < columns.count else { return }
                // The last block has the pixels that are left.
                let rest = wholeCount * across..<pixelCount
                let scale = 256 / Float(rest.count * rowCount)
                for channel in 0..<3 {
                    let sum = rest.reduce(UInt32(0)) {
                        $0 + UInt32(sums[$1 * channels + (channels == 3 ? channel : 0)])
                    }
                    target[wholeCount * 3 + channel] = Self.average(sum, scale)
                }
            }
        }
    }

    @inline(__always)
    private static func average(_ sum: UInt32, _ scale: Float) -> UInt16 {
        // The largest average is 255 times 256.
        UInt16(truncatingIfNeeded: Int32(Float(Int32(truncatingIfNeeded: sum)) * scale + 0.5))
    }
}
