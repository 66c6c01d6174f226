import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Embedded previews")
struct PreviewTests {
    /// A file that is nothing but a preview somewhere inside other bytes, with a head that says where.
    func file(
        _ preview: Bitmap, of stored: PixelSize, orientation: ImageOrientation = .up
    ) throws -> (CountingByteSource, ImageHead) {
        let bytes = try preview.encoded(as: .jpeg(quality: 90))
        let source = CountingByteSource([UInt8](repeating: 0xAA, count: 1000) + bytes + [0xAA, 0xAA])
        let head = ImageHead(
            contentType: .jpeg, storedSize: stored, orientation: orientation,
            previews: [EmbeddedPreview(byteRange: 1000..<1000 + bytes.count, contentType: .jpeg)])
        return (source, head)
    }

    let options = RenderOptions(targetSize: PixelSize(width: 256, height: 256))

    @Test("a preview is cut like the photograph, not enlarged, and read at once")
    func plain() throws {
        let (source, head) = try file(Pictures.scene(160, 120), of: PixelSize(width: 4000, height: 3000))
        let image = try Renderer().renderPreview(source, head: head, options: options)
        #expect(image.bitmap.size == PixelSize(width: 120, height: 120))
        #expect(image.source == .embedded)
        #expect(source.readCount == 1)
    }

    @Test("a preview is turned like the photograph", arguments: ImageOrientation.allCases)
    func turned(_ orientation: ImageOrientation) throws {
        let (source, head) = try file(
            Pictures.scene(160, 120), of: PixelSize(width: 4000, height: 3000), orientation: orientation)
        let whole = RenderOptions(targetSize: .maximum)
        let image = try Renderer().renderPreview(source, head: head, options: whole).bitmap
        var upright = head
        upright.orientation = .up
        let stored = try Renderer().renderPreview(source, head: upright, options: whole).bitmap
        #expect(Pictures.largestDifference(image, Pictures.upright(stored, orientation)) == 0)
    }

    @Test("black bars above and below are cut off")
    func letterbox() throws {
        // 3:2 in 160×120: 106⅔ rows of picture between bars of 6⅔.
        let preview = Pictures.bitmap(160, 120) { x, y, _ in (7..<113).contains(y) ? 90 + x % 60 : 2 }
        let (source, head) = try file(preview, of: PixelSize(width: 3000, height: 2000))
        let image = try Renderer().renderPreview(source, head: head, options: RenderOptions(targetSize: .maximum))
        #expect(image.bitmap.size == PixelSize(width: 160, height: 107))
        #expect(Pictures.samples(image.bitmap).allSatisfy { $0 > 60 })
    }

    @Test("black bars at the sides are cut off")
    func pillarbox() throws {
        let preview = Pictures.bitmap(160, 120) { x, _, _ in (40..<120).contains(x) ? 200 : 0 }
        let (source, head) = try file(preview, of: PixelSize(width: 2000, height: 3000))
        let image = try Renderer().renderPreview(source, head: head, options: RenderOptions(targetSize: .maximum))
        #expect(image.bitmap.size == PixelSize(width: 80, height: 120))
    }

    @Test("bars that a reduced decode has parts of are bars", arguments: [(640, 480), (512, 384)])
    func reducedBars(width: Int, height: Int) throws {
        let bar = (height - width * 2 / 3) / 2
        let preview = Pictures.bitmap(width, height) { _, y, _ in bar..<height - bar ~= y ? 220 : 0 }
        let (source, head) = try file(preview, of: PixelSize(width: 6000, height: 4000))
        let image = try Renderer().renderPreview(source, head: head, options: options)
        #expect(image.eighths == 3)
    }

    @Test("a preview of another aspect without black bars is another picture")
    func otherPicture() throws {
        let (source, head) = try file(Pictures.scene(160, 120), of: PixelSize(width: 3000, height: 2000))
        #expect(throws: RenderError.noPreview) {
            try Renderer().renderPreview(source, head: head, options: options)
        }
        var bare = head
        bare.previews = []
        #expect(throws: RenderError.noPreview) { try Renderer().renderPreview(source, head: bare, options: options) }
    }

    @Test("a large preview is reduced to what is asked for")
    func large() throws {
        let (source, head) = try file(Pictures.scene(1600, 1200), of: PixelSize(width: 4000, height: 3000))
        let image = try Renderer().renderPreview(source, head: head, options: options)
        #expect(image.bitmap.size == options.targetSize && image.eighths < 8)
    }

    @Test(
        "of a preview that is hardly larger than what is asked for, so much is enough as the usual one has",
        arguments: [(320, 240, 4, 120), (512, 384, 3, 144)])
    func reduced(width: Int, height: Int, eighths: Int, side: Int) throws {
        let (source, head) = try file(Pictures.scene(width, height), of: PixelSize(width: 4000, height: 3000))
        let image = try Renderer().renderPreview(source, head: head, options: options)
        #expect(image.bitmap.size == PixelSize(width: side, height: side) && image.eighths == eighths)
    }

    @Test("bars that are too small to be seen at a scale do not count as black")
    func unseenBars() throws {
        // Six rows of bar are less than a pixel at 1/8.
        let (source, head) = try file(Pictures.scene(160, 120), of: PixelSize(width: 3000, height: 2000))
        var small = options
        small.targetSize = PixelSize(width: 12, height: 12)
        #expect(throws: RenderError.noPreview) { try Renderer().renderPreview(source, head: head, options: small) }
        small.quality = .fast
        let barred = Pictures.bitmap(160, 120) { x, y, _ in (7..<113).contains(y) ? 90 + x % 60 : 2 }
        let (sound, soundHead) = try file(barred, of: PixelSize(width: 3000, height: 2000))
        #expect(try Renderer().renderPreview(sound, head: soundHead, options: small).eighths < 8)
    }

    @Test("memory for previews is predicted, and checked against its limit before any decode")
    func memory() throws {
        var (source, head) = try file(Pictures.scene(1600, 1200), of: PixelSize(width: 16000, height: 12000))
        head.previews[0].pixelSize = PixelSize(width: 1600, height: 1200)
        var fast = options
        fast.quality = .fast
        let plain = try RenderCost(head: head, options: fast, byteCount: 4_000_000)
        let usual = try #require(plain.previewByteCount)
        // The decoder holds rows, never the whole picture.
        #expect((512 << 10...2 << 20).contains(usual))
        // A decoder that holds the whole picture needs more.
        var heif = head
        heif.contentType = .heic
        heif.previews[0].kind = .heifThumbnail
        heif.previews[0].contentType = .heic
        heif.previews[0].pixelSize = PixelSize(width: 10000, height: 7500)
        fast.targetSize = PixelSize(width: 9000, height: 6000)
        let cost = try RenderCost(head: heif, options: fast, byteCount: 4_000_000)
        #expect(try #require(cost.previewByteCount) > 8 * 10000 * 7500)
        #expect(cost.workingByteCount > 8 * 10000 * 7500)
        #expect(throws: RenderError.limitExceeded(limit: .memory)) {
            try Renderer().renderPreview(
                source, head: heif, options: options, limits: RenderLimits(memoryByteCount: 100 << 20))
        }
        #expect(throws: RenderError.limitExceeded(limit: .memory)) {
            try Renderer().renderPreview(
                source, head: head, options: options, limits: RenderLimits(memoryByteCount: 256 << 10))
        }
    }

    @Test("a preview is predicted to cost less than the photograph, and a larger photograph more")
    func costs() throws {
        let (_, head) = try file(Pictures.scene(160, 120), of: PixelSize(width: 4000, height: 3000))
        let cost = try RenderCost(head: head, options: options, byteCount: 4_000_000)
        let larger = try RenderCost(head: head, options: options, byteCount: 8_000_000)
        #expect(try #require(cost.previewMilliseconds) < cost.milliseconds / 4)
        #expect(larger.milliseconds > cost.milliseconds)
        #expect(cost.outputByteCount == 256 * 256 * 3)
        #expect(cost.predictedByteCount > cost.outputByteCount)
    }
}
