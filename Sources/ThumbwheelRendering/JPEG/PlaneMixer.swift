/// The horizontal pass over eight rows of all colours at once, to rows of interleaved pixels.
final class PlaneMixer {
    private typealias Eight = SIMD8<Int16>

    private let outputWidth: Int
    private let taps: TapTable
    private let columns: Range<Int>
    private let pitch: Int
    // Output bytes on their side, and upright.
    private let bytes: UnsafeMutableRawPointer
    private let rows: UnsafeMutableRawPointer

    init(outputWidth: Int, taps: TapTable) {
        precondition(taps.first.count == outputWidth)
        self.outputWidth = outputWidth
        self.taps = taps
        columns = taps.inputRange
        pitch = (outputWidth * 3 + 7) / 8 * 8
        bytes = .allocate(byteCount: pitch * 8, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: pitch * 8)
        rows = .allocate(byteCount: pitch * 8, alignment: 64)
    }

    deinit {
        bytes.deallocate()
        rows.deallocate()
    }

    /// One of the eight rows made last: `outputWidth` RGB pixels.
    func row(_ index: Int) -> UnsafeRawPointer {
        precondition(index < 8)
        return UnsafeRawPointer(rows + index * pitch)
    }

    /// Weighs columns of turned lines. One plane thrice makes grey pixels.
    func mix(_ first: PlaneLines, _ second: PlaneLines, _ third: PlaneLines) {
        let needed = columns.count * 2
        precondition(first.pitch >= needed && second.pitch >= needed && third.pitch >= needed)
        let count = taps.count
        // Half of the last place, for what is shifted out, goes with the bias.
        let bias = Eight(repeating: taps.truncationBias &+ 32 &+ 128 &<< 6)
        taps.first.withUnsafeBufferPointer { places in
            taps.fixedWeights.withUnsafeBufferPointer { weights in
                for x in 0..<outputWidth {
                    let offset = (places[x] &- columns.lowerBound) &* 16
                    var red = bias
                    var green = bias
                    var blue = bias
                    var weight = weights.baseAddress! + x &* count
                    var tap = offset
                    while tap < offset &+ count &* 16 {
                        let factor = Eight(repeating: weight.pointee)
                        red = red &+ upperHalf(first.turned.load(fromByteOffset: tap, as: Eight.self), factor)
                        green = green &+ upperHalf(second.turned.load(fromByteOffset: tap, as: Eight.self), factor)
                        blue = blue &+ upperHalf(third.turned.load(fromByteOffset: tap, as: Eight.self), factor)
                        weight += 1
                        tap &+= 16
                    }
                    let target = bytes + x &* 24
                    target.storeBytes(of: clampedBytes(red), as: SIMD8<UInt8>.self)
                    target.storeBytes(of: clampedBytes(green), toByteOffset: 8, as: SIMD8<UInt8>.self)
                    target.storeBytes(of: clampedBytes(blue), toByteOffset: 16, as: SIMD8<UInt8>.self)
                }
            }
        }
        turn()
    }

    private func turn() {
        for block in 0..<pitch / 8 { transpose8x8(bytes + block &* 64, into: rows + block &* 8, pitch: pitch) }
    }
}

extension TapTable {
    /// Cutting off the lower half of a product loses half a place on average: given back for all of a sum's at once.
    var truncationBias: Int16 { Int16(clamping: Int((meanContributors / 2).rounded())) }
}
