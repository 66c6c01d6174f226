import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("The pieces that a WebP is decoded in")
struct WebPPiecesTests {
    /// Of two megapixels, a thousand rows of two thousand; a piece is to be of 32 rows.
    private static func pieces(rowByteCount: Int) -> WebPPieces {
        WebPPieces(rowByteCount: rowByteCount, pixelCount: 2_000_000, height: 1000)
    }

    @Test(
        "a piece is the share of 65 536 pixels, within bounds",
        arguments: [(100_000, 3276), (500, 64), (9 << 20, 8192)])
    func share(rowByteCount: Int, byteCount: Int) {
        #expect(Self.pieces(rowByteCount: rowByteCount).byteCount == byteCount)
    }

    @Test("pieces shrink where rows take few bytes, and grow back to the share")
    func following() {
        var pieces = Self.pieces(rowByteCount: 100_000)
        let typical = pieces.byteCount
        pieces.completed(rowCount: 65)
        #expect(pieces.byteCount == typical / 2)
        pieces.completed(rowCount: 50)
        #expect(pieces.byteCount == typical / 2)
        pieces.completed(rowCount: 10)
        #expect(pieces.byteCount == typical)
        for _ in 0..<20 { pieces.completed(rowCount: 1000) }
        #expect(pieces.byteCount == 64)
    }

    @Test("pieces double while no row comes, and are of the share again after it")
    func stalling() {
        var pieces = Self.pieces(rowByteCount: 100_000)
        let typical = pieces.byteCount
        for _ in 0..<3 { pieces.completed(rowCount: 0) }
        #expect(pieces.byteCount == 8 * typical)
        pieces.completed(rowCount: 40)
        #expect(pieces.byteCount == typical)
    }

    @Test("what a lossy picture has before its rows makes none, and a typical piece behind it does")
    func prologue() throws {
        let bytes = try Pictures.scene(1331, 1223).encoded(as: .webp(quality: 80))
        let container = try WebPContainer(MemoryByteSource(bytes))
        let size = container.canvas
        let planes = try #require(WebPPlanes(size, isFiltered: false))
        let stream = planes.stream
        let chunk = try #require(container.chunks.last)
        let start = container.rowsStart
        #expect(start > chunk.lowerBound + 18 && start < chunk.upperBound)
        _ = stream.append(Array(bytes[chunk.lowerBound..<start]))
        #expect(planes.completeRowCount == 0)
        let pieces = WebPPieces(
            rowByteCount: chunk.upperBound - start, pixelCount: size.pixelCount, height: size.height)
        _ = stream.append(Array(bytes[start..<start + 2 * pieces.byteCount]))
        #expect(planes.completeRowCount > 0)
        #expect(!stream.isComplete)
    }
}
