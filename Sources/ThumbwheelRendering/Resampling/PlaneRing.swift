/// A ring buffer of the latest rows, which the vertical pass of resampling needs. The rows are those of a plane, or of
/// interleaved pixels. Samples have 16 bits and are centred on 0. A difference of 256 is one level of an 8-bit sample.
final class PlaneRing {
    private typealias Eight = SIMD8<Int16>

    /// The number of bytes in a row of 16-bit samples. It is a multiple of 64, the bytes of one loop step, and has room
    /// for the bytes that storing may write after the last column.
    let pitch: Int
    private let columnCount: Int
    /// The number of rows in the ring buffer.
    let rowCount: Int
    private let samples: AlignedPlane<UInt8>

    init(columnCount: Int, rowCount: Int) {
        self.columnCount = columnCount
        self.rowCount = rowCount
        pitch = (columnCount * 2 + 95) / 64 * 64
        samples = AlignedPlane(pitch: pitch, rowCount: rowCount)
    }

    /// Stores a row of `columnCount` samples centred on 0. Samples outside the range from −128 to 127 levels of 8-bit
    /// samples are limited to that range. The row is read in vectors of eight samples, so the memory of up to 7 samples
    /// after the row must be readable. The values there do not matter.
    func enter(_ row: UnsafePointer<PlaneSample>, slot: Int) {
        let target = self.slot(slot)
        let least = Eight(repeating: -128 &<< PlaneSample.binaryPlaces)
        let most = Eight(repeating: 127 &<< PlaneSample.binaryPlaces)
        var x = 0
        while x < columnCount {
            let samples = PixelConverter.loaded(row, x).limited(least, most)
            target.storeBytes(
                of: samples &<< (8 &- PlaneSample.binaryPlaces), toByteOffset: x &* 2, as: Eight.self)
            x &+= 8
        }
    }

    /// Returns the memory of a slot, which is the place for one row: `pitch` bytes, aligned to 64.
    func slot(_ slot: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(samples[slot])
    }

    /// Computes the sum of the ring buffer's rows, each weighted by its tap for the given output row. Stores the sum as
    /// a line of `pitch` bytes. The oldest row is in the slot `firstSlot`.
    func reduce(firstSlot: Int, taps: TapTable, output: Int, into target: UnsafeMutableRawPointer) {
        precondition(
            firstSlot < rowCount && taps.count <= rowCount && (output + 1) * taps.count <= taps.fixedWeights.count)
        let bias = Eight(repeating: taps.truncationBias)
        // Sums are shifted to the left by one bit if the weights have 14 fractional bits instead of 15, because the
        // sums then have one fractional bit fewer as well.
        let shift = Eight(repeating: Int16(15 - taps.fixedPlaces))
        let straight = min(taps.count, rowCount - firstSlot)
        taps.fixedWeights.withUnsafeBufferPointer { table in
            let weights = table.baseAddress! + output * taps.count
            var offset = 0
            while offset < pitch {
                var a = bias
                var b = bias
                var c = bias
                var d = bias
                @inline(__always) func add(_ range: Range<Int>, from slot: Int) {
                    var source = UnsafeRawPointer(samples.bytes) + (slot &* pitch &+ offset)
                    for tap in range {
                        let weight = Eight(repeating: weights[tap])
                        a = a &+ upperHalf(source.load(as: Eight.self), weight)
                        b = b &+ upperHalf(source.load(fromByteOffset: 16, as: Eight.self), weight)
                        c = c &+ upperHalf(source.load(fromByteOffset: 32, as: Eight.self), weight)
                        d = d &+ upperHalf(source.load(fromByteOffset: 48, as: Eight.self), weight)
                        source += pitch
                    }
                }
                add(0..<straight, from: firstSlot)
                add(straight..<taps.count, from: 0)
                target.storeBytes(of: a &<< shift, toByteOffset: offset, as: Eight.self)
                target.storeBytes(of: b &<< shift, toByteOffset: offset &+ 16, as: Eight.self)
                target.storeBytes(of: c &<< shift, toByteOffset: offset &+ 32, as: Eight.self)
                target.storeBytes(of: d &<< shift, toByteOffset: offset &+ 48, as: Eight.self)
                offset &+= 64
            }
        }
    }
}
