/// The inverse transform of blocks: turns the top-left N×N coefficients of each into N×N samples, N from 1 to 8.
///
/// A sample is ¼ ΣΣ C(u)C(v) F(u,v) cos((2x+1)uπ/2N) cos((2y+1)vπ/2N), u and v below N. This is libjpeg's convention, by
/// which every scale shows the same brightness. Eight blocks are transformed at a time, one in each lane. Samples of N = 8
/// are rounded to whole numbers and limited to their range, as libjpeg's are; samples of smaller N are neither rounded nor
/// limited.
final class BlockTransform {
    typealias Eight = SIMD8<Int16>

    let scale: Int
    // The quantisation steps of the N×N coefficients, row by row; each step fills all lanes.
    let steps: UnsafeMutablePointer<Eight>
    // Room for N×N intermediate values, followed from index 64 on by room for eight rows of samples, one of each block.
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
            // Products keep 16 bits, as in libjpeg-turbo. A picture's products are larger only if its steps are too coarse,
            // and those are left to `CoarseTransform`.
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

    /// Transforms `count` blocks that lie beside each other.
    ///
    /// - Parameters:
    ///   - source: the first coefficient of the first block; readable up to a multiple of eight blocks.
    ///   - stride: the distance from a coefficient to the next one of the same block.
    ///   - target: the first sample of the first block. Each row must be writable up to a multiple of eight blocks and 8
    ///     samples more; samples behind the last block have no meaning afterwards.
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

    /// Loads the same coefficient of eight blocks, multiplied by its quantisation step. The index is in natural order
    /// within N×N.
    @inline(__always)
    func coefficient(_ index: Int, _ source: UnsafeRawPointer, _ stride: Int) -> Eight {
        source.loadUnaligned(fromByteOffset: index &* stride, as: Eight.self) &* steps[index]
    }

    /// Stores two samples of each of eight blocks.
    @inline(__always)
    func store(_ a: Eight, _ b: Eight, _ target: UnsafeMutableRawPointer) {
        let (lower, upper) = mixed(a, b)
        target.storeBytes(of: lower, as: Eight.self)
        target.storeBytes(of: upper, toByteOffset: 16, as: Eight.self)
    }

    /// Stores eight samples of each of eight blocks. Only the first N have a meaning; the next block's samples overwrite
    /// the others.
    @inline(__always)
    func store(
        _ a: Eight, _ b: Eight, _ c: Eight, _ d: Eight, _ e: Eight, _ f: Eight, _ g: Eight, _ h: Eight,
        _ target: UnsafeMutableRawPointer
    ) {
        let rows = workspace + 64
        transpose8x8(a, b, c, d, e, f, g, h, into: rows, isWhole: true)
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
