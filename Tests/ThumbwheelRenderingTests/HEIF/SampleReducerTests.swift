import Testing

@testable import ThumbwheelRendering

@Suite("Reducing planes while they arrive")
struct SampleReducerTests {
    @Test("blocks are means in whatever range, and those that are not needed change nothing", arguments: [8, 10])
    func means(bits: Int) {
        var random = SplitMix(state: UInt64(bits))
        for (width, columns, rows) in [
            (37, 1, 1), (37, 2, 2), (64, 4, 4), (67, 4, 3), (50, 5, 6), (300, 7, 4), (3, 8, 8),
        ] {
            for isChroma in [false, true] {
                let range = SampleRange(bitsPerSample: bits, isFullRange: isChroma, isChroma: isChroma)
                let blockCount = (width + columns - 1) / columns
                let needed = blockCount / 3..<blockCount - blockCount / 4
                let whole = SampleReducer(width: width, columns: columns, rows: rows, range: range)
                let part = SampleReducer(width: width, columns: columns, rows: rows, range: range, needed: needed)
                var sums = [Int](repeating: 0, count: width)
                var samples: (whole: UnsafePointer<PlaneSample>?, part: UnsafePointer<PlaneSample>?)
                for row in 0..<rows {
                    let line = (0..<width).map { _ in UInt16(random.next() % (1 << UInt64(bits))) }
                    for x in 0..<width { sums[x] += Int(line[x]) }
                    let bytes = bits == 8 ? line.map { UInt8($0) } : line.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
                    bytes.withUnsafeBytes {
                        samples = (
                            whole.add($0.baseAddress!, isLast: row == rows - 1),
                            part.add($0.baseAddress!, isLast: row == rows - 1)
                        )
                    }
                }
                guard let made = samples.whole, let some = samples.part else {
                    Issue.record("no samples")
                    continue
                }
                for block in 0..<blockCount {
                    let pixels = block * columns..<min((block + 1) * columns, width)
                    let sum = pixels.reduce(0) { $0 + sums[$1] }
                    let expected = Double(sum) * Double(range.factor(count: pixels.count * rows)) + Double(range.offset)
                    // A mean of bytes is rounded to the nearest number after its factor was rounded to 16 bits.
                    #expect(abs(Double(made[block]) - expected) <= 0.76, "\(width), \(columns)×\(rows)")
                    if needed.contains(block) { #expect(made[block] == some[block]) }
                }
                for x in 0..<16 { #expect(made[blockCount + x] == made[blockCount - 1]) }
            }
        }
    }

    @Test("whole blocks at once are what they are row by row", arguments: [1, 2, 4])
    func wholeBlocks(side: Int) {
        var random = SplitMix(state: UInt64(side))
        for width in [1, 3, 16, 17, 34, 67, 130] {
            let range = SampleRange(bitsPerSample: 8, isFullRange: width % 2 == 0, isChroma: side == 2)
            let blockCount = (width + side - 1) / side
            for needed in [0..<blockCount, blockCount / 3..<blockCount, 0..<max(1, blockCount / 2)] {
                let reducers = (0..<2).map { _ in
                    SampleReducer(width: width, columns: side, rows: side, range: range, needed: needed)
                }
                // Three rows of blocks, because the second uses other memory than the first, and both are used again.
                for _ in 0..<3 {
                    let lines = (0..<side).map { _ in (0..<width).map { _ in UInt8(random.next() & 255) } }
                    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: width * side)
                    defer { memory.deallocate() }
                    for (index, line) in lines.enumerated() {
                        (memory + index * width).update(from: line, count: width)
                    }
                    #expect(reducers[0].takesBlocks)
                    let atOnce = reducers[0].addBlock { UnsafeRawPointer(memory + $0 * width) }
                    var byRow: UnsafePointer<PlaneSample>?
                    for row in 0..<side { byRow = reducers[1].add(memory + row * width, isLast: false) }
                    let expected = byRow!
                    for block in needed.lowerBound..<needed.upperBound + 17 {
                        #expect(atOnce[block] == expected[block], "\(width), \(needed), \(block)")
                    }
                }
            }
        }
    }
}
