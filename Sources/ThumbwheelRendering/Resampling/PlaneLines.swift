/// Eight rows that the vertical pass of resampling made, and memory for their transposed samples.
final class PlaneLines {
    private typealias Eight = SIMD8<Int16>

    static let height = 8

    /// The number of bytes in a row.
    let pitch: Int
    private let lines: AlignedPlane<UInt8>
    private let transposed: AlignedPlane<UInt8>

    init(pitch: Int) {
        self.pitch = pitch
        lines = AlignedPlane(pitch: pitch, rowCount: Self.height)
        transposed = AlignedPlane(pitch: pitch, rowCount: Self.height)
    }

    /// The transposed lines, which `transpose` writes: for each column, the samples of the eight rows side by side.
    var columns: UnsafeRawPointer { UnsafeRawPointer(transposed.bytes) }

    func line(_ index: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(lines[index])
    }

    func transpose() {
        var offset = 0
        while offset < pitch {
            @inline(__always) func eight(_ line: Int) -> Eight {
                lines.bytes.load(fromByteOffset: line &* pitch &+ offset, as: Eight.self)
            }
            transpose8x8(
                eight(0), eight(1), eight(2), eight(3), eight(4), eight(5), eight(6), eight(7),
                into: (transposed.bytes + offset &* 8).assumingMemoryBound(to: Eight.self), needsAllColumns: true)
            offset &+= 16
        }
    }

    /// Computes `count` samples for each of the eight rows. Each sample is a weighted sum of neighbouring columns of
    /// the transposed lines, and `taps` has the weights.
    ///
    /// - Parameter start: the column of the image at which the lines begin.
    func weigh(_ taps: TapTable, from start: Int, into target: UnsafeMutablePointer<SIMD8<Int16>>, count: Int) {
        forEachSum(taps, from: start, count: count) { x, offset, weights, bias, shift in
            let source = columns + offset
            var sum = bias
            @inline(__always) func add(_ tap: Int) {
                sum =
                    sum
                    &+ upperHalf(
                        source.load(fromByteOffset: tap &* 16, as: Eight.self), Eight(repeating: weights[tap]))
            }
            var tap = 0
            while tap &+ 1 < taps.count {
                add(tap)
                add(tap &+ 1)
                tap &+= 2
            }
            if tap < taps.count { add(tap) }
            target[x] = sum &<< shift
        }
    }

    /// Does the same as `weigh(_:from:into:count:)`, but for this plane and another plane at once, so that each weight
    /// is copied into a vector only once. The other plane's samples are stored after this plane's samples, from index
    /// `count` on.
    func weigh(
        with other: PlaneLines, _ taps: TapTable, from start: Int, into target: UnsafeMutablePointer<SIMD8<Int16>>,
        count: Int
    ) {
        precondition(other.pitch == pitch)
        forEachSum(taps, from: start, count: count) { x, offset, weights, bias, shift in
            let source = columns + offset
            let otherSource = other.columns + offset
            var (sum, otherSum) = (bias, bias)
            for tap in 0..<taps.count {
                let weight = Eight(repeating: weights[tap])
                sum = sum &+ upperHalf(source.load(fromByteOffset: tap &* 16, as: Eight.self), weight)
                otherSum =
                    otherSum &+ upperHalf(otherSource.load(fromByteOffset: tap &* 16, as: Eight.self), weight)
            }
            target[x] = sum &<< shift
            target[x &+ count] = otherSum &<< shift
        }
    }

    /// Calls `body` for each of the first `count` output samples.
    ///
    /// - Parameter body: a function of five arguments:
    ///   - the index of the output sample
    ///   - the offset of the sample's first column in the transposed lines, in bytes
    ///   - the weights of the sample's taps
    ///   - the value with which the sum begins
    ///   - the number of bits by which the finished sum must be shifted to the left
    @inline(__always)
    private func forEachSum(
        _ taps: TapTable, from start: Int, count: Int,
        _ body: (Int, Int, UnsafePointer<Int16>, Eight, Eight) -> Void
    ) {
        let columns = taps.inputRange
        precondition(
            columns.lowerBound >= start && pitch >= (columns.upperBound - start) * 2 && taps.firstInputs.count >= count)
        let bias = Eight(repeating: taps.truncationBias)
        let shift = Eight(repeating: Int16(15 - taps.fixedPlaces))
        taps.firstInputs.withUnsafeBufferPointer { places in
            taps.fixedWeights.withUnsafeBufferPointer { weights in
                for x in 0..<count {
                    body(x, (places[x] &- start) &* 16, weights.baseAddress! + x &* taps.count, bias, shift)
                }
            }
        }
    }
}
