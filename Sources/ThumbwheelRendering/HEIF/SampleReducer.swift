import ThumbwheelCore

/// Reduces rows of a decoder's samples to rows of plane samples. Each plane sample is the mean of a block of samples.
final class SampleReducer {
    /// The largest number of rows of a block. Up to this number, the sum of a column of 8-bit samples fits 16 bits.
    static let limit = 256

    private let width: Int
    private let columns: Int
    private let rows: Int
    private let range: SampleRange
    // The sums of the columns of a block, of 16 bits for samples of one byte and of 32 bits for wider samples.
    private let narrowSums: AlignedPlane<UInt16>
    private let wideSums: AlignedPlane<UInt32>
    private let made: AlignedPlane<PlaneSample>
    private var rowCount = 0
    private var madeCount = 0

    /// - Parameters:
    ///   - width: The number of samples in a row.
    ///   - columns: The width of a block in samples.
    ///   - rows: The height of a block in samples.
    init(width: Int, columns: Int, rows: Int, range: SampleRange) {
        precondition(width > 0 && 1...Self.limit ~= columns && 1...Self.limit ~= rows)
        self.width = width
        self.columns = columns
        self.rows = rows
        self.range = range
        let isNarrow = range.bitsPerSample == 8
        let blocks = (width + columns - 1) / columns
        narrowSums = AlignedPlane(pitch: isNarrow ? width + 16 : 0)
        wideSums = AlignedPlane(pitch: isNarrow ? 0 : width + 16)
        // The rows are longer than needed because consumers read beyond their end. There are two, because two rows of luma
        // wait for the chroma row that belongs to them.
        made = AlignedPlane(pitch: blocks + 32, rowCount: 2)
    }

    /// Adds a row of `width` samples, which take one byte each if they have 8 bits, else two bytes.
    ///
    /// - Returns: The reduced row, if this row completes a row of blocks or is the last of all; otherwise nil. It is valid
    ///   until two more reduced rows are made. Its last sample is repeated beyond the end.
    func add(_ row: UnsafeRawPointer, isLast: Bool) -> UnsafePointer<PlaneSample>? {
        if range.bitsPerSample == 8 {
            addBytes(row.assumingMemoryBound(to: UInt8.self))
        } else {
            addWords(row)
        }
        rowCount += 1
        guard rowCount == rows || isLast else { return nil }
        let target = made[madeCount & 1]
        if range.bitsPerSample == 8 {
            reduce(narrowSums.start, into: target)
        } else {
            reduce(wideSums.start, into: target)
        }
        rowCount = 0
        madeCount += 1
        return UnsafePointer(target)
    }

    private func addBytes(_ row: UnsafePointer<UInt8>) {
        let sums = narrowSums.start
        let isFirst = rowCount == 0
        var x = 0
        while x &+ 8 <= width {
            let samples = lanes(UnsafeRawPointer(row + x).loadUnaligned(as: SIMD8<UInt8>.self), as: UInt16.self)
            let target = UnsafeMutableRawPointer(sums + x)
            let before = isFirst ? SIMD8<UInt16>() : target.load(as: SIMD8<UInt16>.self)
            target.storeBytes(of: before &+ samples, as: SIMD8<UInt16>.self)
            x &+= 8
        }
        while x < width {
            sums[x] = (isFirst ? 0 : sums[x]) &+ UInt16(row[x])
            x &+= 1
        }
    }

    private func addWords(_ row: UnsafeRawPointer) {
        let sums = wideSums.start
        let isFirst = rowCount == 0
        for x in 0..<width {
            let sample = UInt32(row.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self))
            sums[x] = (isFirst ? 0 : sums[x]) &+ sample
        }
    }

    private func reduce<Sum: FixedWidthInteger>(
        _ sums: UnsafePointer<Sum>, into target: UnsafeMutablePointer<PlaneSample>
    ) {
        let whole = width / columns
        let (factor, offset) = (range.factor(count: columns * rowCount), range.offset)
        for block in 0..<whole {
            var sum = 0
            let first = sums + block &* columns
            for column in 0..<columns { sum &+= Int(truncatingIfNeeded: first[column]) }
            target[block] = Self.sample(Float(sum) * factor + offset)
        }
        var blocks = whole
        if whole * columns < width {
            let rest = whole * columns..<width
            let sum = rest.reduce(0) { $0 + Int(sums[$1]) }
            target[whole] = Self.sample(Float(sum) * range.factor(count: rest.count * rowCount) + offset)
            blocks += 1
        }
        for x in blocks..<blocks + 16 { target[x] = target[blocks - 1] }
    }

    /// Rounds and clamps a value, because samples in video range may lie beyond black and white.
    @inline(__always)
    private static func sample(_ value: Float) -> PlaneSample {
        // The value is made non-negative and then truncated, because a call of the rounding function costs more than the
        // sum.
        PlaneSample(truncatingIfNeeded: Int32(max(0, min(16383, value + 8192.5))) &- 8192)
    }
}
