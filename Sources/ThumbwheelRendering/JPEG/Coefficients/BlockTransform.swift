/// The inverse cosine transform of JPEG blocks at a scale N from 1 to 8. It turns the top-left N×N coefficients of a
/// block into N×N samples. At full size, N is 8.
///
/// The sample in column x and row y is ¼ ΣΣ C(u)C(v) F(u,v) cos((2x+1)uπ/2N) cos((2y+1)vπ/2N), summed over all u and v
/// below N. F(u,v) is the coefficient in column u and row v. C(0) is 1/√2, and C is 1 for all other indices. With this
/// formula, which libjpeg uses as well, the image is equally bright at every scale.
///
/// Eight blocks are transformed at a time, one in each element of a vector. At full size, samples are rounded to whole
/// numbers and limited to their range, as in libjpeg. At smaller scales, samples are neither rounded nor limited.
final class BlockTransform {
    typealias Eight = SIMD8<Int16>

    let scale: Int
    // The quantisation steps of the top-left `scale` × `scale` coefficients, row by row. Each step is repeated in all
    // elements of a vector.
    let steps: UnsafeMutablePointer<Eight>
    // Two buffers in one piece of memory:
    // - The entries before index 64 hold the results of the columns' transforms until the rows are transformed.
    // - The eight entries from index 64 on hold the samples that `store` writes next, one row of samples for each of
    //   the eight blocks.
    let workspace: UnsafeMutablePointer<Eight>
    let matrix: CosineMatrix?
    private let coarse: CoarseTransform?

    /// - Parameter quantization: 64 quantisation steps in zigzag order.
    init(scale: Int, quantization: [UInt16]) {
        precondition((1...8).contains(scale) && quantization.count == 64)
        self.scale = scale
        steps = .allocate(capacity: scale * scale)
        workspace = .allocate(capacity: 72)
        workspace.initialize(repeating: .zero, count: 72)
        for (index, natural) in JPEGTables.naturalOrder.enumerated() where natural % 8 < scale && natural / 8 < scale {
            // Keeps only the low 16 bits of each quantisation step, as libjpeg-turbo does, because the products of
            // steps and coefficients are computed in 16 bits. If the steps are so large that a product might overflow,
            // `CoarseTransform` computes the samples instead.
            (steps + natural / 8 * scale + natural % 8).initialize(
                to: Eight(repeating: Int16(truncatingIfNeeded: quantization[index])))
        }
        matrix = (5...7).contains(scale) ? CosineMatrix(scale) : nil
        coarse =
            CoarseTransform.isNeeded(scale: scale, quantization: quantization)
            ? CoarseTransform(scale: scale, quantization: quantization) : nil
    }

    deinit {
        steps.deallocate()
        workspace.deallocate()
    }

    /// Transforms `count` blocks that lie beside each other, eight at a time.
    ///
    /// - Parameters:
    ///   - source: the first coefficient of the first block. If `count` is not a multiple of eight, the memory of the
    ///     missing blocks must be readable too.
    ///   - stride: the distance from a coefficient to the next one of the same block, in coefficients.
    ///   - target: the memory for the first sample of the first block. Blocks are written eight at a time, and eight
    ///     samples may be written in each row of a block, even at a smaller scale. So each row needs room for `count`
    ///     rounded up to a multiple of eight blocks, and for 8 more samples. Samples after the last block are not
    ///     valid.
    ///   - pitch: the distance from row to row, in samples.
    func transform(
        _ source: UnsafePointer<Int16>, stride: Int, count: Int, into target: UnsafeMutablePointer<PlaneSample>,
        pitch: Int
    ) {
        if let coarse {
            coarse.transform(source, stride: stride, count: count, into: target, pitch: pitch)
            return
        }
        var block = 0
        while block < count {
            let from = UnsafeRawPointer(source + block)
            let to = UnsafeMutableRawPointer(target + block &* scale)
            switch scale {
            case 1: transform1(from, to)
            case 2: transform2(from, stride &* 2, to, pitch &* 2)
            case 3: transform3(from, stride &* 2, to, pitch &* 2)
            case 4: transform4(from, stride &* 2, to, pitch &* 2)
            case 5: transformByMatrix(5, from, stride &* 2, to, pitch &* 2)
            case 6: transformByMatrix(6, from, stride &* 2, to, pitch &* 2)
            case 7: transformByMatrix(7, from, stride &* 2, to, pitch &* 2)
            default: transform8(from, stride &* 2, to, pitch &* 2)
            }
            block &+= 8
        }
    }

    /// Loads one coefficient of each of eight blocks and multiplies it by its quantisation step.
    ///
    /// - Parameters:
    ///   - index: the position of the coefficient among the block's `scale` × `scale` coefficients, counted row by row.
    ///   - stride: the distance from a coefficient to the next one of the same block, in bytes.
    @inline(__always)
    func coefficient(_ index: Int, _ source: UnsafeRawPointer, _ stride: Int) -> Eight {
        source.loadUnaligned(fromByteOffset: index &* stride, as: Eight.self) &* steps[index]
    }

    /// Stores one row of samples of eight blocks, two samples for each block.
    @inline(__always)
    func store(_ a: Eight, _ b: Eight, _ target: UnsafeMutableRawPointer) {
        let (lower, upper) = mixed(a, b)
        target.storeBytes(of: lower, as: Eight.self)
        target.storeBytes(of: upper, toByteOffset: 16, as: Eight.self)
    }

    /// Stores one row of samples of eight neighbouring blocks. Each block is `scale` samples wide, but eight samples
    /// are written for it. If `scale` is below 8, the samples of the next block overwrite the surplus samples.
    @inline(__always)
    func store(
        _ a: Eight, _ b: Eight, _ c: Eight, _ d: Eight, _ e: Eight, _ f: Eight, _ g: Eight, _ h: Eight,
        _ target: UnsafeMutableRawPointer
    ) {
        let rows = workspace + 64
        transpose8x8(a, b, c, d, e, f, g, h, into: rows, needsAllColumns: true)
        for block in 0..<8 {
            target.storeBytes(of: rows[block], toByteOffset: block &* 2 &* scale, as: Eight.self)
        }
    }

    @inline(__always)
    private func transform1(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
        target.storeBytes(of: coefficient(0, source, 0) &<< 2, as: Eight.self)
    }

    @inline(__always)
    private func transform2(_ source: UnsafeRawPointer, _ stride: Int, _ target: UnsafeMutableRawPointer, _ pitch: Int)
    {
        let a = coefficient(0, source, stride)
        let b = coefficient(1, source, stride)
        let c = coefficient(2, source, stride)
        let d = coefficient(3, source, stride)
        @inline(__always) func row(_ even: Eight, _ odd: Eight, _ target: UnsafeMutableRawPointer) {
            store((even &+ odd) &<< 2, (even &- odd) &<< 2, target)
        }
        row(a &+ c, b &+ d, target)
        row(a &- c, b &- d, target + pitch)
    }
}
