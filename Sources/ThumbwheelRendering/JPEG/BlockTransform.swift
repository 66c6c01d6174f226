/// A sample of a plane: 0 for middle grey, with `binaryPlaces`.
///
/// At reduced scales a sample stands for many pixels, whose rounding errors cancel out in a full decode: rounding it to a
/// whole would cost as much quality as a smaller scale does.
typealias PlaneSample = Int16

extension PlaneSample {
    static var binaryPlaces: Int16 { 5 }
    /// The largest sample's distance from the smallest, which is -4096.
    static var span: Int16 { 255 &<< 5 }
}

/// The inverse transform of the top-left N×N coefficients of blocks, to N×N samples each, N from 1 to 8.
///
/// A sample is ¼ ΣΣ C(u)C(v) F(u,v) cos((2x+1)uπ/2N) cos((2y+1)vπ/2N), u and v below N: libjpeg's convention, by which every
/// scale shows the same brightness. Eight blocks are transformed at a time, one in each lane. Samples of N = 8 are
/// rounded to whole ones in range, as libjpeg's are; others are neither.
final class BlockTransform {
    typealias Eight = SIMD8<Int16>

    let scale: Int
    // N×N steps, row by row, each in all lanes.
    let steps: UnsafeMutablePointer<Eight>
    // Room for N×N intermediate values.
    let workspace: UnsafeMutablePointer<Eight>
    let matrix: CosineMatrix?

    /// - Parameter quantization: 64 steps in zigzag order.
    init(scale: Int, quantization: [UInt16]) {
        precondition((1...8).contains(scale) && quantization.count == 64)
        self.scale = scale
        steps = .allocate(capacity: scale * scale)
        workspace = .allocate(capacity: 64)
        workspace.initialize(repeating: .zero, count: 64)
        for (index, natural) in JPEGTables.naturalOrder.enumerated() where natural % 8 < scale && natural / 8 < scale {
            // Products keep 16 bits as in libjpeg-turbo: no picture has larger ones.
            (steps + natural / 8 * scale + natural % 8).initialize(
                to: Eight(repeating: Int16(truncatingIfNeeded: quantization[index])))
        }
        matrix = (5...7).contains(scale) ? CosineMatrix(scale) : nil
    }

    deinit {
        steps.deallocate()
        workspace.deallocate()
    }

    /// Transforms `count` blocks that lie beside each other.
    ///
    /// - Parameters:
    ///   - source: the first coefficient of the first block; readable up to a multiple of eight blocks.
    ///   - stride: from a coefficient to the next of the same block.
    ///   - target: of the first block's first sample. Writable, in each row, up to a multiple of eight blocks and 8
    ///     samples more; what lies there has no meaning afterwards.
    ///   - pitch: from row to row.
    func transform(
        _ source: UnsafePointer<Int16>, stride: Int, count: Int, into target: UnsafeMutablePointer<PlaneSample>,
        pitch: Int
    ) {
        var block = 0
        while block < count {
            let from = UnsafeRawPointer(source + block)
            let to = UnsafeMutableRawPointer(target + block &* scale)
            switch scale {
            case 1: transform1(from, to)
            case 2: transform2(from, stride &* 2, to, pitch &* 2)
            case 3: transform3(from, stride &* 2, to, pitch &* 2)
            case 4: transform4(from, stride &* 2, to, pitch &* 2)
            case 8: transform8(from, stride &* 2, to, pitch &* 2)
            default: transformByMatrix(from, stride &* 2, to, pitch &* 2)
            }
            block &+= 8
        }
    }

    /// A coefficient of eight blocks, in natural order within N×N, times its step.
    @inline(__always)
    func coefficient(_ index: Int, _ source: UnsafeRawPointer, _ stride: Int) -> Eight {
        source.loadUnaligned(fromByteOffset: index &* stride, as: Eight.self) &* steps[index]
    }

    /// Two samples of each block beside each other.
    @inline(__always)
    func pairs(_ first: Eight, _ second: Eight) -> SIMD8<UInt32> {
        unsigned(first) | unsigned(second) &<< 16
    }

    /// The lanes' bits in twice the width.
    @inline(__always)
    func unsigned(_ value: Eight) -> SIMD8<UInt32> {
        lanes(unsafeBitCast(value, to: SIMD8<UInt16>.self), as: UInt32.self)
    }

    /// Stores eight samples of each of eight blocks, of which all but N are written over by the next block's.
    @inline(__always)
    func store(
        _ a: Eight, _ b: Eight, _ c: Eight, _ d: Eight, _ e: Eight, _ f: Eight, _ g: Eight, _ h: Eight,
        _ target: UnsafeMutableRawPointer
    ) {
        @inline(__always) func half(_ value: Eight, _ index: Int) -> UInt64 {
            unsafeBitCast(value, to: SIMD2<UInt64>.self)[index]
        }
        for index in 0..<2 {
            let left = transposed4x4(half(a, index), half(b, index), half(c, index), half(d, index))
            let right = transposed4x4(half(e, index), half(f, index), half(g, index), half(h, index))
            let first = target + index &* 8 &* scale
            let step = scale &* 2
            first.storeBytes(of: SIMD2(left.0, right.0), as: SIMD2<UInt64>.self)
            first.storeBytes(of: SIMD2(left.1, right.1), toByteOffset: step, as: SIMD2<UInt64>.self)
            first.storeBytes(of: SIMD2(left.2, right.2), toByteOffset: 2 &* step, as: SIMD2<UInt64>.self)
            first.storeBytes(of: SIMD2(left.3, right.3), toByteOffset: 3 &* step, as: SIMD2<UInt64>.self)
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
            let words = pairs((even &+ odd) &<< 2, (even &- odd) &<< 2)
            target.storeBytes(of: words, as: SIMD8<UInt32>.self)
        }
        row(a &+ c, b &+ d, target)
        row(a &- c, b &- d, target + pitch)
    }
}
