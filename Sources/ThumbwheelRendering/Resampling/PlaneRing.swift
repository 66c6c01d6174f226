/// The rows that the vertical pass needs, of a plane or of interleaved samples. Samples are centred on 0, and 256 makes one
/// step of a byte.
final class PlaneRing {
    private typealias Eight = SIMD8<Int16>

    /// The number of bytes in a row of 16-bit samples. It is padded to a multiple of 64, the bytes of one loop step, and by
    /// the bytes that storing may write too many.
    let pitch: Int
    private let columnCount: Int
    /// The number of rows that the ring holds.
    let rowCount: Int
    private let samples: AlignedPlane<UInt8>

    init(columnCount: Int, rowCount: Int) {
        self.columnCount = columnCount
        self.rowCount = rowCount
        pitch = (columnCount * 2 + 95) / 64 * 64
        samples = AlignedPlane(pitch: pitch, rowCount: rowCount)
    }

    /// Stores a row of `columnCount` samples centred on 0. Samples out of range are limited to the range. Up to 7 samples
    /// behind the row are read.
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

    /// Returns the memory of a slot: `pitch` bytes, aligned to 64.
    func slot(_ slot: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(samples[slot])
    }

    /// Reduces the ring's rows to a line of `pitch` bytes, weighed by the taps of an output row. The oldest row is in
    /// `firstSlot`.
    func reduce(firstSlot: Int, taps: TapTable, output: Int, into target: UnsafeMutableRawPointer) {
        precondition(
            firstSlot < rowCount && taps.count <= rowCount && (output + 1) * taps.count <= taps.fixedWeights.count)
        let bias = Eight(repeating: taps.truncationBias)
        // Weights with one binary place fewer give sums with one place fewer, which this shift makes up for.
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
