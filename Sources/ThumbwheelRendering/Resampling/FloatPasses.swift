/// The two passes of separable resampling in floating point, and their buffers. The horizontal pass reduces `line` to a
/// row of a ring buffer, and the vertical pass reduces the rows of the ring buffer to `sums`.
struct FloatPasses {
    let horizontal: TapTable
    let vertical: TapTable
    /// The pixels of an input row that the horizontal pass reads next. The caller writes them.
    var line: [SIMD4<Float>]
    /// The pixels of the row that the vertical pass made last. There may be up to three more pixels than the output
    /// has.
    var sums: [SIMD4<Float>]
    private var ring: [SIMD4<Float>]
    // The number of pixels in each row of the buffers: the width, rounded up to a multiple of four, because the loops
    // take four pixels at a time.
    private let pitch: Int

    init(horizontal: TapTable, vertical: TapTable) {
        self.horizontal = horizontal
        self.vertical = vertical
        line = Array(repeating: .zero, count: horizontal.inputRange.count)
        pitch = (horizontal.firstInputs.count + 3) / 4 * 4
        ring = Array(repeating: .zero, count: vertical.count * pitch)
        sums = Array(repeating: .zero, count: pitch)
    }

    /// Reduces the input row (`line`) horizontally to a row of the ring buffer, four pixels at a time. With one pixel
    /// at a time, each addition would have to wait for the addition before it.
    mutating func reduceHorizontally(intoSlot slot: Int) {
        let last = horizontal.firstInputs.count - 1
        let offset = horizontal.inputRange.lowerBound
        let count = horizontal.count
        let pitch = pitch
        line.withUnsafeBufferPointer { line in
            horizontal.weights.withUnsafeBufferPointer { weights in
                horizontal.firstInputs.withUnsafeBufferPointer { first in
                    ring.withUnsafeMutableBufferPointer { ring in
                        var x = 0
                        while x <= last {
                            let places = SIMD4(x, min(x &+ 1, last), min(x &+ 2, last), min(x &+ 3, last))
                            let taps = places &* count
                            let (i, j) = (first[places[0]] &- offset, first[places[1]] &- offset)
                            let (k, l) = (first[places[2]] &- offset, first[places[3]] &- offset)
                            var (a, b) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                            var (c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                            for tap in 0..<count {
                                a += line[i &+ tap] * weights[taps[0] &+ tap]
                                b += line[j &+ tap] * weights[taps[1] &+ tap]
                                c += line[k &+ tap] * weights[taps[2] &+ tap]
                                d += line[l &+ tap] * weights[taps[3] &+ tap]
                            }
                            let target = slot &* pitch &+ x
                            ring[target] = a
                            ring[target &+ 1] = b
                            ring[target &+ 2] = c
                            ring[target &+ 3] = d
                            x &+= 4
                        }
                    }
                }
            }
        }
    }

    /// Reduces the ring buffer's rows vertically to an output row in `sums`, four pixels at a time.
    mutating func reduceVertically(to output: Int) {
        let count = vertical.count
        let slot = vertical.firstInputs[output] % count
        let pitch = pitch
        ring.withUnsafeBufferPointer { ring in
            vertical.weights.withUnsafeBufferPointer { table in
                let weights = table.baseAddress! + output * count
                sums.withUnsafeMutableBufferPointer { sums in
                    var x = 0
                    while x < pitch {
                        var (a, b) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                        var (c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                        @inline(__always) func add(_ taps: Range<Int>, from slot: Int) {
                            var place = slot &* pitch &+ x
                            for tap in taps {
                                let weight = weights[tap]
                                a += ring[place] * weight
                                b += ring[place &+ 1] * weight
                                c += ring[place &+ 2] * weight
                                d += ring[place &+ 3] * weight
                                place &+= pitch
                            }
                        }
                        // The ring buffer's oldest row is at `slot`. The first taps apply to the rows from `slot` to
                        // the buffer's end, the other taps to the rows at its beginning.
                        add(0..<count &- slot, from: slot)
                        add(count &- slot..<count, from: 0)
                        sums[x] = a
                        sums[x &+ 1] = b
                        sums[x &+ 2] = c
                        sums[x &+ 3] = d
                        x &+= 4
                    }
                }
            }
        }
    }
}
