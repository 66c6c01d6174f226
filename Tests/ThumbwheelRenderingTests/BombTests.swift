import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// What is refused or cut short before a decoder sees it. What is counted is reads, not time.
@Suite("Bombs")
struct BombTests {
    private let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))

    @Test("an image of 65 500 × 65 500 is refused from its header")
    func huge() throws {
        var bytes = try Pictures.scene(16, 16).encoded(as: .jpeg(quality: 50))
        let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        let source = CountingByteSource(bytes)
        #expect(throws: RenderError.limitExceeded(limit: .pixels)) {
            try Renderer().render(source, options: options)
        }
        #expect(source.readCount <= 4)
    }

    @Test("a grid of a small size that spreads one tile over a canvas of megapixels is refused from its items")
    func grid() throws {
        let tile = try CodedPicture(
            Raster(width: 128, height: 128, channels: 3, bytes: .init(repeating: 9, count: 49_152)))
        let extent = ItemFile.fullBox("ispe", ItemFile.number(64, 4) + ItemFile.number(64, 4))
        // One row of 256 columns, on a canvas of 32 768 × 100.
        let descriptor: [UInt8] = [0, 0, 0, 255] + ItemFile.number(32_768, 2) + ItemFile.number(100, 2)
        let file = ItemFile(
            brand: "heic",
            items: [ItemFile.Item("grid", descriptor, isInline: true, properties: [extent]), tile.item()],
            references: [.init("dimg", from: 1, to: Array(repeating: 2, count: 256))])
        let source = CountingByteSource(file.encoded)
        #expect(throws: RenderError.malformed(reason: "a grid of 32768x100 in an item of 64x64")) {
            try Renderer().render(source, options: options)
        }
        #expect(!source.ranges.contains { $0.contains(file.encoded.count - 1) && $0.count == tile.data.count })
    }

    @Test("a profile of a hundred megabytes is ignored, or refused unread if the decoder would read it")
    func profile() throws {
        let profile = EmbeddedProfile(name: nil, colorSpace: "RGB", byteCount: 100 << 20)
        for encoding in [ImageEncoding.webp(quality: 80), .png, .jpeg(quality: 80)] {
            let source = CountingByteSource(try Pictures.scene(16, 16).encoded(as: encoding))
            var head = try ImageHead(reading: source)
            head.profile = profile
            let reads = source.readCount
            guard head.contentType == .webp else {
                #expect(try Renderer().render(source, head: head, options: options).isPartial == false)
                continue
            }
            #expect(throws: RenderError.malformed(reason: "a colour profile of 104857600 bytes")) {
                try Renderer().render(source, head: head, options: options)
            }
            #expect(source.readCount == reads)
        }
    }

    @Test("of an animation of a hundred thousand pictures only the first is read")
    func animation() throws {
        // One pixel of colour 1: clear, 1, end.
        let picture: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
        let screen: [UInt8] = [UInt8]("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 10, 200, 30]
        let loop: [UInt8] = [0x21, 0xFE, 3, 1, 2, 3, 0]
        let frames = [[UInt8]](repeating: picture, count: 100_000).flatMap { $0 }
        let source = CountingByteSource(screen + loop + frames + [0x3B])
        let head = try ImageHead(reading: source)
        let reads = source.readCount
        #expect(throws: RenderError.limitExceeded(limit: .frames)) {
            try Renderer().render(source, head: head, options: options)
        }
        #expect(source.readCount == reads)
        let image = try Renderer().render(
            source, head: head, options: options, limits: RenderLimits(frameCount: .max))
        #expect(Pictures.samples(image.bitmap) == [10, 200, 30])
        #expect(source.readCount - reads <= 2)
    }

    @Test("a preview larger than what may be read for one is left alone")
    func preview() throws {
        let bytes = try Pictures.scene(160, 120).encoded(as: .jpeg(quality: 90))
        let source = CountingByteSource(bytes)
        var head = try ImageHead(reading: source)
        head.previews = [
            EmbeddedPreview(
                byteRange: 0..<(1 << 20) + 1, contentType: .jpeg, pixelSize: PixelSize(width: 160, height: 120))
        ]
        #expect(throws: RenderError.noPreview) { try Renderer().renderPreview(source, head: head, options: options) }
        #expect(try Renderer().render(source, head: head, options: options).source != .embedded)
    }
}
