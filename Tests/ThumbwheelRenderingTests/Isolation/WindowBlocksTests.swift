import Testing

@testable import ThumbwheelRendering

@Suite("Blocks of a window")
struct WindowBlocksTests {
    private static let size = WindowBlocks.byteCount

    private func fill(_ blocks: inout WindowBlocks, _ offset: Int, readsAhead: Bool = true, end: Int = 1 << 30) -> Int {
        let (count, index) = blocks.prepare(for: offset, atLeast: 4096, fileEnd: end, readsAhead: readsAhead)
        _ = blocks.fill(index, from: offset, count: count)
        return count
    }

    @Test("a reader that goes on gets whole blocks, up to the end of the file")
    func reading() {
        var blocks = WindowBlocks()
        let first = fill(&blocks, 0)
        #expect(first < Self.size)
        #expect(fill(&blocks, first) == Self.size)
        #expect(fill(&blocks, first + Self.size, end: first + Self.size + 10) == 10)
        #expect(blocks.block(containing: first + Self.size + 10) == nil)
    }

    @Test("two readers in turn do not replace each other's blocks")
    func twoReaders() {
        var blocks = WindowBlocks()
        var (one, other, asked) = (0, 1 << 24, 0)
        while one < 4 << 20 {
            for offset in [one, other] where blocks.block(containing: offset) == nil {
                _ = fill(&blocks, offset)
                asked += 1
            }
            one += 4096
            other += 4096
        }
        #expect(asked < 2 * (2 + (4 << 20) / Self.size))
    }

    @Test("without reading ahead no more is asked for than is needed")
    func exact() {
        var blocks = WindowBlocks()
        #expect(fill(&blocks, 0, readsAhead: false) == 4096)
        #expect(fill(&blocks, 4096, readsAhead: false) == 4096)
        #expect(blocks.block(containing: 5000)?.range == 4096..<8192)
    }
}
