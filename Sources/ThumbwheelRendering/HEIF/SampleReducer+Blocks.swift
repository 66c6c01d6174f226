extension SampleReducer {
    /// Whether `addBlock` can be called: the samples have 8 bits, and blocks are single samples, or squares of two or four.
    var takesBlocks: Bool {
        range.bitsPerSample == 8 && columns == rows && (columns == 1 || columns == 2 || columns == 4)
    }

    /// Adds all rows of a row of blocks at once. The result is that of `add`, which would keep the sums in memory from
    /// row to row. May be called only if `takesBlocks` is true and the last row that was added has completed its blocks.
    ///
    /// - Parameter row: returns a row of samples, from the blocks' first to their last.
    /// - Returns: the reduced row, valid as long as one of `add`.
    @inline(__always)
    func addBlock(_ row: (_ index: Int) -> UnsafeRawPointer) -> UnsafePointer<PlaneSample> {
        precondition(takesBlocks && rowCount == 0)
        let target = made[madeCount & 1]
        // Rows that a block does not have are not read.
        let first = row(0)
        let second = rows > 1 ? row(1) : first
        reduce(rows == 4 ? (first, second, row(2), row(3)) : (first, second, first, first), into: target)
        // The last block may be incomplete, and is made from sums.
        for x in wholeEnd * columns..<max(wholeEnd * columns, samples.upperBound) {
            narrowSums.start[x] = (0..<rows).reduce(0) { $0 &+ UInt16(Self.sample(row($1), x)) }
        }
        rowCount = rows
        finish(narrowSums.start, target)
        rowCount = 0
        madeCount += 1
        return UnsafePointer(target)
    }

    private typealias Eight = SIMD8<UInt16>
    private typealias Rows = (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer)

    /// Returns the sums of the eight pairs of neighbours among sixteen samples.
    @inline(__always)
    private static func pairs(_ samples: UnsafeRawPointer) -> Eight {
        let words = samples.loadUnaligned(as: Eight.self)
        return (words & 0xFF) &+ (words &>> 8)
    }

    /// Returns the sums of the four pairs of neighbours among eight sums, in the order of the columns.
    @inline(__always)
    private static func pairs(_ sums: Eight) -> SIMD4<UInt32> {
        let words = unsafeBitCast(sums, to: SIMD4<UInt32>.self)
        return (words & 0xFFFF) &+ (words &>> 16)
    }

    /// Stores the means of the complete blocks, eight blocks at a time.
    ///
    /// - Parameters:
    ///   - eight: returns the sums of eight blocks. The first block begins at the given column of samples.
    ///   - one: returns the sum of one block.
    @inline(__always)
    private func store(
        into target: UnsafeMutablePointer<PlaneSample>, _ eight: (_ column: Int) -> Eight, _ one: (_ column: Int) -> Int
    ) {
        let scale = MeanScale(range, count: columns * columns)
        var block = blocks.lowerBound
        let end = wholeEnd
        while block &+ 8 <= end {
            let means = scale.means(ofSums: eight(block &* columns))
            UnsafeMutableRawPointer(target + block).storeBytes(of: means, as: SIMD8<PlaneSample>.self)
            block &+= 8
        }
        while block < end {
            target[block] = scale.mean(ofSum: one(block &* columns))
            block &+= 1
        }
    }

    /// Makes the complete blocks of one, two or four rows.
    @inline(never)
    private func reduce(_ rows: Rows, into target: UnsafeMutablePointer<PlaneSample>) {
        switch columns {
        case 1:
            store(into: target) { x in
                lanes((rows.0 + x).loadUnaligned(as: SIMD8<UInt8>.self), as: UInt16.self)
            } _: { x in
                Self.sample(rows.0, x)
            }
        case 2:
            store(into: target) { x in
                Self.pairs(rows.0 + x) &+ Self.pairs(rows.1 + x)
            } _: { x in
                Self.sum(rows.0, x, 2) &+ Self.sum(rows.1, x, 2)
            }
        default:
            store(into: target) { x in
                @inline(__always) func four(_ x: Int) -> SIMD4<UInt32> {
                    let (upper, lower) = (
                        Self.pairs(rows.0 + x) &+ Self.pairs(rows.1 + x),
                        Self.pairs(rows.2 + x) &+ Self.pairs(rows.3 + x)
                    )
                    return Self.pairs(upper &+ lower)
                }
                return lanes(SIMD8(lowHalf: four(x), highHalf: four(x &+ 16)), as: UInt16.self)
            } _: { x in
                Self.sum(rows.0, x, 4) &+ Self.sum(rows.1, x, 4) &+ Self.sum(rows.2, x, 4) &+ Self.sum(rows.3, x, 4)
            }
        }
    }

    @inline(__always)
    private static func sum(_ row: UnsafeRawPointer, _ x: Int, _ count: Int) -> Int {
        (x..<x &+ count).reduce(0) { $0 &+ sample(row, $1) }
    }

    @inline(__always)
    private static func sample(_ row: UnsafeRawPointer, _ x: Int) -> Int {
        Int(row.load(fromByteOffset: x, as: UInt8.self))
    }
}
