import ThumbwheelCore

/// Makes rows of plane samples of a decoder's rows: each sample the mean of a block of as many rows and columns.
final class SampleReducer {
    /// The most rows that a block may have: the sums of a column fit 16 bits where samples have 8.
    static let limit = 256

    private let width: Int
    private let columns: Int
    private let rows: Int
    private let range: SampleRange
    // Sums of columns: of 16 bits for samples of one byte, of 32 for wider ones.
    private let narrowSums: AlignedPlane<UInt16>
    private let wideSums: AlignedPlane<UInt32>
    private let made: AlignedPlane<PlaneSample>
    private var rowCount = 0
    private var madeCount = 0

    /// - Parameters:
    ///   - width: Samples of a row.
    ///   - columns: The samples of a block, across.
    ///   - rows: The samples of a block, down.
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
        // Consumers read over the end.
        // Two rows of luma wait for the chroma that lies under them.
        made = AlignedPlane(pitch: blocks + 32, rowCount: 2)
    }

    /// Takes a row of `width` samples, of one byte each if they have 8 bits, else of two.
    ///
    /// - Returns: The samples made of the rows since the last ones, if this completes the block or is the last of all;
    ///   valid until two more are made. The last sample is repeated behind the end.
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

    /// Samples of a video's range may lie beyond black and white.
    @inline(__always)
    private static func sample(_ value: Float) -> PlaneSample {
        // Rounds by truncation, of a number that is never negative: a call of the rounding function costs more than the sum.
        PlaneSample(truncatingIfNeeded: Int32(max(0, min(16383, value + 8192.5))) &- 8192)
    }
}
