import ThumbwheelCore

/// Reduces rows of a decoder's samples to rows of plane samples. Each plane sample is the mean of a block of samples.
final class SampleReducer {
    /// The largest width or height of a block, in samples. Each column of a block is summed in 16 bits, which are
    /// enough for 256 samples of 8 bits.
    static let limit = 256

    private let width: Int
    let columns: Int
    let rows: Int
    let range: SampleRange
    // The blocks of a row that are averaged, numbered from the left.
    let blocks: Range<Int>
    // The columns of samples that `blocks` cover.
    let samples: Range<Int>
    // For each column of samples, the sum of the rows that were added since the last reduced row. `narrowSums` is used
    // for samples of one byte, and `wideSums` for wider samples.
    let narrowSums: AlignedPlane<UInt16>
    private let wideSums: AlignedPlane<UInt32>
    let made: AlignedPlane<PlaneSample>
    var rowCount = 0
    var madeCount = 0

    /// - Parameters:
    ///   - width: the number of samples in a row.
    ///   - columns: the width of a block in samples.
    ///   - rows: the height of a block in samples.
    ///   - needed: the blocks that consumers use; nil for all blocks.
    init(width: Int, columns: Int, rows: Int, range: SampleRange, needed: Range<Int>? = nil) {
        precondition(width > 0 && 1...Self.limit ~= columns && 1...Self.limit ~= rows)
        self.width = width
        self.columns = columns
        self.rows = rows
        self.range = range
        let isNarrow = range.bitsPerSample == 8
        let blockCount = (width + columns - 1) / columns
        blocks = (needed ?? 0..<blockCount).clamped(to: 0..<blockCount)
        samples = blocks.lowerBound * columns..<min(blocks.upperBound * columns, width)
        narrowSums = AlignedPlane(pitch: isNarrow ? width + 16 : 0)
        wideSums = AlignedPlane(pitch: isNarrow ? 0 : width + 16)
        // There is memory for two reduced rows, because two rows of luma wait for the chroma row that covers the same
        // pixels. The rows are longer than needed, because consumers read beyond their end.
        made = AlignedPlane(pitch: blockCount + 32, rowCount: 2)
    }

    /// Adds a row of `width` samples. A sample of 8 bits takes one byte, and a wider sample takes two.
    ///
    /// - Returns: the reduced row, if this row completes a row of blocks or is the last row of all; otherwise nil. The
    ///   reduced row is valid until two more reduced rows are made. Its last sample is repeated beyond its end.
    func add(_ row: UnsafeRawPointer, isLast: Bool) -> UnsafePointer<PlaneSample>? {
        if rows == 1, takesBlocks { return addBlock { _ in row } }
        if range.bitsPerSample == 8 {
            addBytes(row.assumingMemoryBound(to: UInt8.self))
        } else {
            addWords(row)
        }
        rowCount += 1
        guard rowCount == rows || isLast else { return nil }
        let target = made[madeCount & 1]
        if range.bitsPerSample == 8 {
            reduceBytes(into: target)
        } else {
            reduceWords(into: target)
        }
        rowCount = 0
        madeCount += 1
        return UnsafePointer(target)
    }

    private func addBytes(_ row: UnsafePointer<UInt8>) {
        let sums = narrowSums.start
        let isFirst = rowCount == 0
        var x = samples.lowerBound
        let end = samples.upperBound
        while x &+ 8 <= end {
            let added = lanes(UnsafeRawPointer(row + x).loadUnaligned(as: SIMD8<UInt8>.self), as: UInt16.self)
            let target = UnsafeMutableRawPointer(sums + x)
            let before = isFirst ? SIMD8<UInt16>() : target.loadUnaligned(as: SIMD8<UInt16>.self)
            target.storeBytes(of: before &+ added, as: SIMD8<UInt16>.self)
            x &+= 8
        }
        while x < end {
            sums[x] = (isFirst ? 0 : sums[x]) &+ UInt16(row[x])
            x &+= 1
        }
    }

    private func addWords(_ row: UnsafeRawPointer) {
        let sums = wideSums.start
        let isFirst = rowCount == 0
        for x in samples {
            let sample = UInt32(row.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self))
            sums[x] = (isFirst ? 0 : sums[x]) &+ sample
        }
    }

    /// Reduces the sums of 8-bit samples to a row of block means. Blocks of two and of four columns have loops that are
    /// compiled for them.
    private func reduceBytes(into target: UnsafeMutablePointer<PlaneSample>) {
        switch columns {
        case 2: reduceBytes(into: target, columns: 2)
        case 4: reduceBytes(into: target, columns: 4)
        default: reduceBytes(into: target, columns: columns)
        }
        finish(narrowSums.start, target)
    }

    /// Does the work of `reduceBytes(into:)` for blocks of `columns` columns. The mean of a complete block is stored
    /// without clamping, because the mean of 8-bit samples always fits a `PlaneSample`, even in video range.
    @inline(__always)
    private func reduceBytes(into target: UnsafeMutablePointer<PlaneSample>, columns: Int) {
        let scale = MeanScale(range, count: columns * rowCount)
        let sums = narrowSums.start
        for block in blocks.lowerBound..<wholeEnd {
            var sum = 0
            for column in 0..<columns { sum &+= Int(truncatingIfNeeded: sums[block &* columns &+ column]) }
            target[block] = scale.mean(ofSum: sum)
        }
    }

    private func reduceWords(into target: UnsafeMutablePointer<PlaneSample>) {
        let (factor, offset) = (range.factor(count: columns * rowCount), range.offset)
        let sums = wideSums.start
        for block in blocks.lowerBound..<wholeEnd {
            var sum = 0
            let first = sums + block &* columns
            for column in 0..<columns { sum &+= Int(truncatingIfNeeded: first[column]) }
            target[block] = Self.sample(Float(sum) * factor + offset)
        }
        finish(sums, target)
    }

    /// The index after the last complete block among `blocks`.
    var wholeEnd: Int { max(blocks.lowerBound, samples.upperBound / columns) }

    /// Makes the last block if it is incomplete, and repeats its mean beyond the end of the row, because the consumers'
    /// vector loops read beyond that end.
    func finish<Sum: FixedWidthInteger>(
        _ sums: UnsafePointer<Sum>, _ target: UnsafeMutablePointer<PlaneSample>
    ) {
        guard let last = blocks.last else { return }
        if wholeEnd == last {
            let rest = last * columns..<samples.upperBound
            let sum = rest.reduce(0) { $0 + Int(sums[$1]) }
            target[last] = Self.sample(Float(sum) * range.factor(count: rest.count * rowCount) + range.offset)
        }
        for x in last + 1..<last + 17 { target[x] = target[last] }
    }

    /// Rounds a value and clamps it to 14 bits with sign. Samples in video range may lie beyond black and white.
    @inline(__always)
    private static func sample(_ value: Float) -> PlaneSample {
        // Rounds to the nearest integer: adds 8192.5, which makes the value positive, cuts off the fraction, and
        // subtracts 8192. A call of the rounding function would take longer than computing the sum of a block.
        PlaneSample(truncatingIfNeeded: Int32(max(0, min(16383, value + 8192.5))) &- 8192)
    }
}
