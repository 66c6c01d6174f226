import FixtureKit
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelRendering

/// Files that would take more memory than their heads announce.
@Suite("HEIF memory") struct HEIFMemoryTests {
    private let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))
    private let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))

    private static func extent(_ width: Int, _ height: Int) -> [UInt8] {
        ItemFile.fullBox("ispe", ItemFile.number(width, 4) + ItemFile.number(height, 4))
    }

    @Test("a grid whose descriptor states another size than its item is malformed", arguments: ["hevc", "av1"])
    func descriptor(_ codec: String) throws {
        var file = try TiledFixture.itemFile(TiledFixture.tiled(codec))
        file.items[0].properties[0] = Self.extent(64, 64)
        #expect(throws: RenderError.malformed(reason: "a grid of 500x330 in an item of 64x64")) {
            try Renderer().render(MemoryByteSource(file.encoded), options: options)
        }
    }

    @Test("a row of tiles that is larger than the memory is refused before it is decoded")
    func row() throws {
        let source = MemoryByteSource(try TiledFixture.file())
        let image = try #require(try HEIFImages(reading: source)).picture
        func decode(memory: Int) throws -> TiledDecode? {
            try TiledDecode(
                source, image, TiledDecode.Options(), limits: RenderLimits(memoryByteCount: memory), guardian: guardian)
        }
        // A tile takes at least 49 152 bytes in the decoder, and a row of four tiles 98 304.
        #expect(throws: RenderError.limitExceeded(limit: .memory)) { try decode(memory: 60_000) }
        #expect(try decode(memory: 100_000) != nil)
    }

    @Test("a helper is not taken where there is no memory for a second row of tiles")
    func helper() throws {
        final class Counted: RenderAssistants {
            let threads = ThreadAssistants()
            nonisolated(unsafe) var count = 0
            func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
                count += 1
                return threads.start(work)
            }
        }
        let source = MemoryByteSource(try TiledFixture.file())
        let image = try #require(try HEIFImages(reading: source)).picture
        for (memory, count) in [(150_000, 0), (1 << 20, 1)] {
            let helper = Counted()
            let decode = try #require(
                try TiledDecode(
                    source, image, TiledDecode.Options(), limits: RenderLimits(memoryByteCount: memory),
                    guardian: guardian))
            decode.assistants = helper
            var rowCount = 0
            let end = decode.forEachPixelRow(in: 0..<330) { _ in rowCount += 1 }
            #expect(end.error == nil && rowCount == 330 && helper.count == count)
        }
    }

    @Test("an alpha larger than its picture is refused before it is decoded")
    func alpha() throws {
        var picture = TiledFixture.tiled()
        picture.alpha = TiledFixture.alpha(64, 64)
        var file = try TiledFixture.itemFile(picture)
        file.items[file.items.count - 1].properties[1] = Self.extent(8000, 8000)
        #expect(throws: RenderError.malformed(reason: "an alpha of 8000x8000 in a picture of 500x330")) {
            try Renderer().render(MemoryByteSource(file.encoded), options: options)
        }
    }

    @Test("the account of a picture with alpha has the alpha's decoder and its kept samples")
    func alphaAccount() {
        func bytes(hasAlpha: Bool, bits: Int = 8, tile: PixelSize? = nil) -> Double {
            let head = ImageHead(
                contentType: .avif, storedSize: PixelSize(width: 4000, height: 3000), heif: HEIFCoding(tileSize: tile),
                hasAlpha: hasAlpha, bitsPerChannel: bits)
            return Double(HEIFCodec().memory(of: .dav1d, for: head, eighths: 8, byteCount: 0).typical) / 12e6
        }
        // The alpha is kept as a whole, after its decoder is gone.
        #expect(bytes(hasAlpha: true) - bytes(hasAlpha: false) >= 0.999)
        #expect(bytes(hasAlpha: true, bits: 10) - bytes(hasAlpha: false, bits: 10) >= 1.999)
        // Its decoder takes a sample and tables for each pixel, much more than one for tiles.
        let tile = PixelSize(width: 512, height: 512)
        #expect(bytes(hasAlpha: true, tile: tile) >= 3.5)
        #expect(bytes(hasAlpha: false, tile: tile) < 1)
    }

    @Test("more coded bytes than a picture of its size has are refused before they are read, and fewer are predicted")
    func codedBytes() throws {
        var file = try TiledFixture.itemFile(TiledFixture.tiled())
        let image = try #require(try HEIFImages(reading: MemoryByteSource(file.encoded))).picture
        let limit = TileReader.codedByteLimit(of: image.tileSize)
        let tile = image.tiles[0].item - 1
        file.items[tile].data += [UInt8](repeating: 0, count: limit + 1 - file.items[tile].data.count)
        #expect(throws: RenderError.malformed(reason: "\(limit + 1) bytes for a picture of \(image.tileSize)")) {
            try Renderer().render(MemoryByteSource(file.encoded), options: options)
        }
        // A picture without tiles is decoded from as many bytes as its file has.
        func bytes(_ byteCount: Int, tile: PixelSize? = nil) -> DecoderMemory {
            let head = ImageHead(
                contentType: .avif, storedSize: PixelSize(width: 16, height: 16), heif: HEIFCoding(tileSize: tile))
            return HEIFCodec().memory(of: .dav1d, for: head, eighths: 8, byteCount: byteCount)
        }
        #expect(bytes(500_000).typical - bytes(0).typical == 500_000)
        #expect(bytes(250 << 20).typical - bytes(0).typical == 16 * 16 * 6 + 1 << 20)
        #expect(bytes(500_000).maximum - bytes(0).maximum == 500_000)
        let tileSize = PixelSize(width: 8, height: 8)
        #expect(bytes(500_000, tile: tileSize).typical == bytes(0, tile: tileSize).typical)
    }

    @Test("what is cut off a picture counts in the account, because it is decoded")
    func cropped() throws {
        var picture = TiledFixture.tiled()
        let whole = try ImageHead(reading: MemoryByteSource(TiledFixture.file(picture)))
        picture.properties = [TiledFixture.aperture(width: (50, 1), height: (33, 1))]
        let cropped = try ImageHead(reading: MemoryByteSource(TiledFixture.file(picture)))
        #expect(cropped.storedSize == PixelSize(width: 50, height: 33))
        let codec = HEIFCodec()
        #expect(
            codec.memory(of: .de265, for: cropped, eighths: 8, byteCount: 0).typical
                == codec.memory(of: .de265, for: whole, eighths: 8, byteCount: 0).typical)
    }
}
