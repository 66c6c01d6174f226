/// The inverse transform of the top-left N×N coefficients of blocks, to N×N samples each, N from 1 to 8.
///
/// A sample is ¼ ΣΣ C(u)C(v) F(u,v) cos((2x+1)uπ/2N) cos((2y+1)vπ/2N), u and v below N: libjpeg's convention, by which every
/// scale shows the same brightness. Eight blocks are transformed at a time, one in each lane.
final class BlockTransform {
    typealias Eight = SIMD8<Int16>

    let scale: Int
    // N×N steps, row by row, each in all lanes.
    let steps: UnsafeMutablePointer<Eight>
    // Room for N×N intermediate values, and for eight rows of eight bytes.
    let workspace: UnsafeMutablePointer<Eight>
    let bytes: UnsafeMutableRawPointer
    let matrix: CosineMatrix?

    /// - Parameter quantization: 64 steps in zigzag order.
    init(scale: Int, quantization: [UInt16]) {
        precondition((1...8).contains(scale) && quantization.count == 64)
        self.scale = scale
        steps = .allocate(capacity: scale * scale)
        workspace = .allocate(capacity: 64)
        workspace.initialize(repeating: .zero, count: 64)
        bytes = .allocate(byteCount: 64, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
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
        bytes.deallocate()
    }

    /// Transforms `count` blocks that lie beside each other.
    ///
    /// - Parameters:
    ///   - source: the first coefficient of the first block; readable up to a multiple of eight blocks.
    ///   - stride: from a coefficient to the next of the same block.
    ///   - target: of the first block's first sample. Writable, in each row, up to a multiple of eight blocks and 8 bytes
    ///     more; what lies there has no meaning afterwards.
    ///   - pitch: from row to row.
    func transform(
        _ source: UnsafePointer<Int16>, stride: Int, count: Int, into target: UnsafeMutablePointer<UInt8>, pitch: Int
    ) {
        var block = 0
        while block < count {
            let from = UnsafeRawPointer(source + block)
            let to = UnsafeMutableRawPointer(target + block &* scale)
            switch scale {
            case 1: transform1(from, to)
            case 2: transform2(from, stride &* 2, to, pitch)
            case 3: transform3(from, stride &* 2, to, pitch)
            case 4: transform4(from, stride &* 2, to, pitch)
            case 8: transform8(from, stride &* 2, to, pitch)
            default: transformByMatrix(from, stride &* 2, to, pitch)
            }
            block &+= 8
        }
    }

    /// A coefficient of eight blocks, in natural order within N×N, times its step.
    @inline(__always)
    func coefficient(_ index: Int, _ source: UnsafeRawPointer, _ stride: Int) -> Eight {
        source.loadUnaligned(fromByteOffset: index &* stride, as: Eight.self) &* steps[index]
    }

    /// Samples with `places` binary places around 0 as bytes around 128, in 16 bits each.
    @inline(__always)
    func samples(_ values: Eight, places: Int16) -> Eight {
        let whole = (values &+ (1 &<< (places &- 1))) &>> places &+ 128
        let positive = whole & ~(whole &>> 15)
        return (positive | ((255 &- positive) &>> 15)) & 255
    }

    @inline(__always)
    private func transform1(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
        let values = samples(coefficient(0, source, 0), places: 3)
        target.storeBytes(of: lanes(values, as: UInt8.self), as: SIMD8<UInt8>.self)
    }

    @inline(__always)
    private func transform2(_ source: UnsafeRawPointer, _ stride: Int, _ target: UnsafeMutableRawPointer, _ pitch: Int)
    {
        let a = coefficient(0, source, stride)
        let b = coefficient(1, source, stride)
        let c = coefficient(2, source, stride)
        let d = coefficient(3, source, stride)
        @inline(__always) func row(_ even: Eight, _ odd: Eight, _ target: UnsafeMutableRawPointer) {
            let pair = samples(even &+ odd, places: 3) | samples(even &- odd, places: 3) &<< 8
            target.storeBytes(of: pair, as: Eight.self)
        }
        row(a &+ c, b &+ d, target)
        row(a &- c, b &- d, target + pitch)
    }
}
