/// A buffer for eight blocks, in the order that `BlockTransform` needs. The first coefficients of all eight blocks lie
/// side by side, then the second coefficients of all blocks, and so on.
final class GatheredBlocks {
    static let width = 8
    // One entry for each of the 64 coefficients of a block, with the values of all eight blocks. Eight more entries are
    // spare.
    private let samples = AlignedPlane<SIMD8<Int16>>(pitch: 72)

    private var storage: UnsafeMutablePointer<SIMD8<Int16>> { samples.start }

    var source: UnsafePointer<Int16> {
        UnsafePointer(UnsafeMutableRawPointer(storage).assumingMemoryBound(to: Int16.self))
    }

    /// Copies eight successive blocks of a line, from the block with the index `first` on. Of each block, the first
    /// `coefficientCount` coefficients are copied.
    @inline(__always)
    func take(_ row: BlockRow, from first: Int, coefficientCount: Int) {
        let (b0, b1, b2, b3, b4, b5, b6, b7) = row.eight(from: first)
        var done = 0
        while coefficientCount &- done > 1 {
            @inline(__always) func eight(_ block: UnsafePointer<Int16>) -> SIMD8<Int16> {
                UnsafeRawPointer(block + done).loadUnaligned(as: SIMD8<Int16>.self)
            }
            transpose8x8(
                eight(b0), eight(b1), eight(b2), eight(b3), eight(b4), eight(b5), eight(b6), eight(b7),
                into: storage + done, needsAllColumns: coefficientCount &- done > 4)
            done &+= 8
        }
        if done < coefficientCount {
            storage[done] = SIMD8(b0[done], b1[done], b2[done], b3[done], b4[done], b5[done], b6[done], b7[done])
        }
    }
}

extension BlockTransform {
    /// Transforms the blocks of a line, eight at a time.
    ///
    /// - Parameters:
    ///   - gathered: the buffer into which eight blocks are copied before they are transformed.
    ///   - target: the memory for the first sample of the first block. Blocks are written eight at a time, and eight
    ///     samples may be written in each row of a block, even at a smaller scale. So each row needs room for the
    ///     number of blocks rounded up to a multiple of eight, and for 8 more samples. Samples after the last block are
    ///     not valid.
    ///   - pitch: the distance from row to row, in samples.
    func transform(
        _ row: BlockRow, gatheredIn gathered: GatheredBlocks, into target: UnsafeMutablePointer<PlaneSample>, pitch: Int
    ) {
        var first = 0
        while first < row.count {
            gathered.take(row, from: first, coefficientCount: scale &* scale)
            transform(
                gathered.source, stride: GatheredBlocks.width, count: GatheredBlocks.width,
                into: target + first &* scale, pitch: pitch)
            first &+= GatheredBlocks.width
        }
    }
}
