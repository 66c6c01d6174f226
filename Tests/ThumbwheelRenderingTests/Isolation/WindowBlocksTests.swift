import Testing

@testable import ThumbwheelRendering

@Suite("Blocks of a window")
struct WindowBlocksTests {
    private static let size = WindowBlocks.byteCount

    /// Orders the bytes from `offset` on, and fills the block with all of them.
    private func fill(_ blocks: inout WindowBlocks, _ offset: Int) -> WindowBlocks.Block {
        let order = blocks.order(from: offset, atLeast: 4096)
        return blocks.fill(order, count: order.count)
    }

    @Test("a reader that goes on gets whole blocks, up to the end of the file")
    func reading() {
        let end = 2 * Self.size + 10
        var blocks = WindowBlocks(fileEnd: end, readsAhead: true)
        let first = fill(&blocks, 0).range
        #expect(first.count < Self.size)
        #expect(fill(&blocks, first.upperBound).range.count == Self.size)
        let rest = end - first.count - Self.size
        #expect(fill(&blocks, first.upperBound + Self.size).range.count == rest)
        #expect(blocks.block(containing: end) == nil)
    }

    @Test("two readers in turn do not replace each other's blocks, with what is asked for ahead")
    func twoReaders() throws {
        var blocks = WindowBlocks(fileEnd: 1 << 30, readsAhead: true)
        var (one, other, asked) = (0, 1 << 24, 0)
        while one < 4 << 20 {
            for offset in [one, other] {
                if blocks.block(containing: offset) == nil {
                    _ = fill(&blocks, offset)
                    asked += 1
                }
                let found = blocks.block(containing: offset)
                let block = try #require(found)
                if let ahead = blocks.order(after: block) {
                    _ = blocks.fill(ahead, count: ahead.count)
                    asked += 1
                }
            }
            one += 4096
            other += 4096
        }
        #expect(asked <= 2 * (3 + (4 << 20) / Self.size))
    }

    @Test("the bytes behind a block are asked for once, when its reader has gone on, and never beyond the file")
    func ahead() throws {
        let end = 3 * Self.size
        var blocks = WindowBlocks(fileEnd: end, readsAhead: true)
        let first = fill(&blocks, 0)
        #expect(blocks.order(after: first) == nil)
        let second = fill(&blocks, first.range.upperBound)
        let asked = blocks.order(after: second)
        let order = try #require(asked)
        #expect(order.offset == second.range.upperBound && order.count == Self.size)
        #expect(order.place != second.place)
        let third = blocks.fill(order, count: order.count)
        #expect(blocks.order(after: second) == nil)
        #expect(blocks.block(containing: second.range.lowerBound) != nil)
        let askedLast = blocks.order(after: third)
        let last = try #require(askedLast)
        #expect(last.offset + last.count == end)
        #expect(blocks.order(after: blocks.fill(last, count: last.count)) == nil)
    }

    @Test("without reading ahead no more is asked for than is needed")
    func exact() {
        var blocks = WindowBlocks(fileEnd: 1 << 30, readsAhead: false)
        #expect(fill(&blocks, 0).range == 0..<4096)
        let second = fill(&blocks, 4096)
        #expect(second.range == 4096..<8192)
        #expect(blocks.order(after: second) == nil)
        #expect(blocks.block(containing: 5000)?.range == 4096..<8192)
    }
}
