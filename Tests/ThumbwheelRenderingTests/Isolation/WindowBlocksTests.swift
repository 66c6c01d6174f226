import Testing

@testable import ThumbwheelRendering

@Suite("Blocks of a window")
struct WindowBlocksTests {
    private static let size = WindowBlocks.byteCount

    /// Orders the bytes from `offset` on, and fills the block with all of them.
    private func fill(_ blocks: inout WindowBlocks, _ offset: Int) -> WindowBlocks.Block {
        let request = blocks.request(from: offset, atLeast: 4096)
        return blocks.fill(request, count: request.count)
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

    @Test("a reader that follows short chunks, and skips their contents, gets whole blocks")
    func chunks() {
        let end = 4 << 20
        var blocks = WindowBlocks(fileEnd: end, readsAhead: true)
        var asked = 0
        for offset in stride(from: 0, to: end, by: 9000) where blocks.block(containing: offset) == nil {
            _ = fill(&blocks, offset)
            asked += 1
        }
        #expect(asked <= 2 + end / Self.size)
        // A reader that jumps gets no more than before.
        #expect(fill(&blocks, 0).range.count < Self.size)
    }

    @Test("a reader that skips up to 64 KiB goes on, and one that skips more has jumped")
    func gaps() {
        for (gap, goesOn) in [(64 << 10, true), ((64 << 10) + 1, false)] {
            var blocks = WindowBlocks(fileEnd: 1 << 30, readsAhead: true)
            let first = fill(&blocks, 0).range
            #expect((fill(&blocks, first.upperBound + gap).range.count == Self.size) == goesOn)
        }
    }

    @Test("of two blocks that end before a reader, the nearer one is emptied")
    func nearest() {
        var blocks = WindowBlocks(fileEnd: 1 << 30, readsAhead: true)
        // The blocks end at 100 KiB and at 130 KiB.
        for offset in [36 << 10, 66 << 10] { #expect(fill(&blocks, offset).range.count == 64 << 10) }
        #expect(fill(&blocks, 130 << 10).range.count == Self.size)
        #expect(blocks.block(containing: 36 << 10) != nil)
        #expect(blocks.block(containing: 129 << 10) == nil)
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
                if let ahead = blocks.request(after: block) {
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
        #expect(blocks.request(after: first) == nil)
        let second = fill(&blocks, first.range.upperBound)
        let asked = blocks.request(after: second)
        let request = try #require(asked)
        #expect(request.offset == second.range.upperBound && request.count == Self.size)
        #expect(request.place != second.place)
        let third = blocks.fill(request, count: request.count)
        #expect(blocks.request(after: second) == nil)
        #expect(blocks.block(containing: second.range.lowerBound) != nil)
        let askedLast = blocks.request(after: third)
        let last = try #require(askedLast)
        #expect(last.offset + last.count == end)
        #expect(blocks.request(after: blocks.fill(last, count: last.count)) == nil)
    }

    @Test("without reading ahead no more is asked for than is needed")
    func exact() {
        var blocks = WindowBlocks(fileEnd: 1 << 30, readsAhead: false)
        #expect(fill(&blocks, 0).range == 0..<4096)
        let second = fill(&blocks, 4096)
        #expect(second.range == 4096..<8192)
        #expect(blocks.request(after: second) == nil)
        #expect(blocks.block(containing: 5000)?.range == 4096..<8192)
        // A reader that skips bytes leaves the block before them as it is.
        #expect(fill(&blocks, 9000).range == 9000..<13096)
        #expect(blocks.block(containing: 5000)?.range == 4096..<8192)
    }
}
