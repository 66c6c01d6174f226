/// The rows that the vertical pass looks at, of a plane or of interleaved samples: centred on 0, 256 to a step.
final class PlaneRing {
    private typealias Eight = SIMD8<Int16>

    /// Bytes of a row of 16-bit samples, padded to the 64 that one step of the loop takes, and by as much as writing takes.
    let pitch: Int
    private let columnCount: Int
    /// Rows that it holds.
    let rowCount: Int
    private let samples: AlignedPlane<UInt8>

    init(columnCount: Int, rowCount: Int) {
        self.columnCount = columnCount
        self.rowCount = rowCount
        pitch = (columnCount * 2 + 95) / 64 * 64
        samples = AlignedPlane(pitch: pitch, rowCount: rowCount)
    }

    /// Takes a row of `columnCount` samples around 0, those out of range as the last within. Up to 7 more are read.
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

    /// A row's place: `pitch` bytes, aligned to 64.
    func slot(_ slot: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(samples[slot])
    }

    /// Weighs the rows, the oldest of which is in `firstSlot`, into a line of `pitch` bytes.
    func reduce(firstSlot: Int, taps: TapTable, output: Int, into target: UnsafeMutableRawPointer) {
        precondition(
            firstSlot < rowCount && taps.count <= rowCount && (output + 1) * taps.count <= taps.fixedWeights.count)
        let bias = Eight(repeating: taps.truncationBias)
        // Weights with a place fewer make sums with a place fewer.
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
