extension SampleReducer {
    /// Whether `addBlock` can be called: the samples have 8 bits, and blocks are squares of two or four.
    var takesBlocks: Bool { range.bitsPerSample == 8 && columns == rows && (columns == 2 || columns == 4) }

    /// Adds all rows of a row of blocks at once. The result is that of `add`, which would keep the sums in memory from
    /// row to row. May be called only if `takesBlocks` is true and the last row that was added has completed its blocks.
    ///
    /// - Parameter row: returns a row of samples, from the blocks' first to their last.
    /// - Returns: the reduced row, valid as long as one of `add`.
    @inline(__always)
    func addBlock(_ row: (_ index: Int) -> UnsafeRawPointer) -> UnsafePointer<PlaneSample> {
        precondition(takesBlocks && rowCount == 0)
        let target = made[madeCount & 1]
        if rows == 4 {
            reduceFour((row(0), row(1), row(2), row(3)), into: target)
        } else {
            reduceTwo((row(0), row(1)), into: target)
        }
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

    /// Returns the sums of the eight pairs of neighbours among sixteen samples.
    @inline(__always)
    private static func pairs(_ samples: UnsafeRawPointer) -> Eight {
        let words = samples.loadUnaligned(as: Eight.self)
        return (words & 0xFF) &+ (words &>> 8)
    }

    /// Makes the complete blocks of four rows, four blocks at a time.
    private func reduceFour(
        _ rows: (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer),
        into target: UnsafeMutablePointer<PlaneSample>
    ) {
        let (factor, offset) = fixedFactor(count: 16)
        var block = blocks.lowerBound
        let end = wholeEnd
        while block &+ 4 <= end {
            let x = block &* 4
            let sums =
                Self.pairs(rows.0 + x) &+ Self.pairs(rows.1 + x) &+ Self.pairs(rows.2 + x) &+ Self.pairs(rows.3 + x)
            let four = unsafeBitCast(sums, to: SIMD2<UInt64>.self)
            for half in 0..<2 {
                let even = (four[half] & 0x0000_FFFF_0000_FFFF) &+ (four[half] &>> 16 & 0x0000_FFFF_0000_FFFF)
                target[block &+ 2 &* half] = Self.mean(even & 0xFFFF_FFFF, factor, offset)
                target[block &+ 2 &* half &+ 1] = Self.mean(even &>> 32, factor, offset)
            }
            block &+= 4
        }
        while block < end {
            var sum: UInt64 = 0
            for x in block &* 4..<block &* 4 &+ 4 {
                sum &+= Self.sample(rows.0, x) &+ Self.sample(rows.1, x)
                sum &+= Self.sample(rows.2, x) &+ Self.sample(rows.3, x)
            }
            target[block] = Self.mean(sum, factor, offset)
            block &+= 1
        }
    }

    /// Makes the complete blocks of two rows, eight blocks at a time.
    private func reduceTwo(
        _ rows: (UnsafeRawPointer, UnsafeRawPointer), into target: UnsafeMutablePointer<PlaneSample>
    ) {
        let (factor, offset) = fixedFactor(count: 4)
        var block = blocks.lowerBound
        let end = wholeEnd
        while block &+ 8 <= end {
            let x = block &* 2
            let sums = Self.pairs(rows.0 + x) &+ Self.pairs(rows.1 + x)
            for index in 0..<8 {
                target[block &+ index] = Self.mean(UInt64(truncatingIfNeeded: sums[index]), factor, offset)
            }
            block &+= 8
        }
        while block < end {
            var sum: UInt64 = 0
            for x in block &* 2..<block &* 2 &+ 2 { sum &+= Self.sample(rows.0, x) &+ Self.sample(rows.1, x) }
            target[block] = Self.mean(sum, factor, offset)
            block &+= 1
        }
    }

    @inline(__always)
    private static func mean(_ sum: UInt64, _ factor: Int, _ offset: Int) -> PlaneSample {
        PlaneSample(truncatingIfNeeded: (Int(truncatingIfNeeded: sum) &* factor &+ offset) &>> 32)
    }

    @inline(__always)
    private static func sample(_ row: UnsafeRawPointer, _ x: Int) -> UInt64 {
        UInt64(row.load(fromByteOffset: x, as: UInt8.self))
    }
}
