import Testing
import ThumbwheelCore

@testable import FixtureKit
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

    @Test("libwebp decodes few rows of a lossless picture twice")
    func lossless() throws {
        // A photograph's noise takes about three bytes a pixel.
        var random = SplitMix(state: 5)
        let size = PixelSize(width: 1500, height: 1000)
        let noise = Raster(
            width: size.width, height: size.height, channels: 3,
            bytes: (0..<3 * size.pixelCount).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let bytes = try VipsEncoder(suffix: ".webp", options: "lossless=true,effort=0").encode(noise)
        let container = try WebPContainer(MemoryByteSource(bytes))
        let source = CountingByteSource(bytes)
        let decode = try WebPDecode(
            source, container, eighths: 8, keepsProfile: false, limits: RenderLimits(),
            guardian: DecodeGuard(cancellation: nil, duration: .seconds(3600)))
        #expect(decode.forEachRow(in: 0..<size.height) { _ in }.error == nil)
        // Each piece has up to eight rows decoded again, and the pieces before the first row double in size.
        let pieceCount = source.ranges.count { $0.lowerBound >= container.chunks[0].lowerBound }
        #expect(!container.isLossy && pieceCount <= size.height / 32, "\(pieceCount) pieces")
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
        let pieces = WebPPieces(
            rowByteCount: chunk.upperBound - start, pixelCount: size.pixelCount, height: size.height)
        bytes[chunk].withUnsafeBytes { bytes in
            let prologue = start - chunk.lowerBound
            _ = stream.decode(UnsafeRawBufferPointer(rebasing: bytes[..<prologue]))
            #expect(planes.completeRowCount == 0)
            _ = stream.decode(UnsafeRawBufferPointer(rebasing: bytes[..<(prologue + 2 * pieces.byteCount)]))
            #expect(planes.completeRowCount > 0)
            #expect(!stream.isComplete)
        }
    }
}
