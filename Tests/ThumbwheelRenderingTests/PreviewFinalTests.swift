import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Final images from previews")
struct PreviewFinalTests {
    /// A photograph with a preview behind it, and what its head would say.
    func file(
        photograph: Bitmap, preview: Bitmap, orientation: ImageOrientation = .up
    ) throws -> (CountingByteSource, ImageHead) {
        let whole = try photograph.encoded(as: .jpeg(quality: 90))
        let small = try preview.encoded(as: .jpeg(quality: 90))
        var head = try ImageHead(reading: MemoryByteSource(whole))
        head.orientation = orientation
        head.previews = [
            EmbeddedPreview(
                byteRange: whole.count..<whole.count + small.count, contentType: .jpeg, pixelSize: preview.size)
        ]
        return (CountingByteSource(whole + small), head)
    }

    func options(
        _ width: Int, _ height: Int, _ mode: ContentMode = .aspectFit, quality: RenderQuality = .fast
    ) -> RenderOptions {
        RenderOptions(targetSize: PixelSize(width: width, height: height), contentMode: mode, quality: quality)
    }

    @Test("a preview that covers the target is read in one piece, checked against the photograph, and cropped like it")
    func covering() throws {
        let (source, head) = try file(photograph: Pictures.scene(1600, 1200), preview: Pictures.scene(160, 120))
        // Reads the header twice, and at most 64 KiB of the scan.
        let mostReads = 1 + 1 + 1 + 3
        for (width, height, mode) in [
            (120, 90, ContentMode.aspectFit), (100, 100, .aspectFill), (160, 120, .aspectFill),
        ] {
            let reads = source.readCount
            let image = try Renderer().render(source, head: head, options: options(width, height, mode))
            #expect(image.source == .embedded && source.readCount - reads <= mostReads)
            var without = options(width, height, mode)
            without.usesEmbeddedPreviews = false
            let decoded = try Renderer().render(source, head: head, options: without)
            #expect(decoded.source != .embedded)
            #expect(try #require(Pictures.largestDifference(image.bitmap, decoded.bitmap)) < 24)
        }
    }

    @Test("a turned preview makes what the turned photograph makes", arguments: ImageOrientation.allCases)
    func turned(_ orientation: ImageOrientation) throws {
        let (source, head) = try file(
            photograph: Pictures.scene(1600, 1200), preview: Pictures.scene(160, 120), orientation: orientation)
        var cut = options(60, 60, .aspectFill)
        cut.normalizedCropRect = NormalizedRect(x: 0.1, y: 0.2, width: 0.7, height: 0.6)
        let image = try Renderer().render(source, head: head, options: cut)
        cut.usesEmbeddedPreviews = false
        let decoded = try Renderer().render(source, head: head, options: cut)
        #expect(image.source == .embedded)
        #expect(try #require(Pictures.largestDifference(image.bitmap, decoded.bitmap)) < 24)
    }

    @Test("no final image comes from a preview that is smaller, of another aspect, or damaged")
    func refused() throws {
        let (source, head) = try file(photograph: Pictures.scene(1600, 1200), preview: Pictures.scene(160, 120))
        #expect(try Renderer().render(source, head: head, options: options(161, 121)).source != .embedded)
        #expect(try Renderer().render(source, head: head, options: options(121, 121, .aspectFill)).source != .embedded)
        #expect(try Renderer().render(source, head: head, options: options(40, 30, quality: .high)).source != .embedded)
        var broken = head
        broken.previews[0].byteRange = 100..<400
        #expect(try Renderer().render(source, head: broken, options: options(120, 90)).source != .embedded)
        let (other, otherHead) = try file(photograph: Pictures.scene(1600, 900), preview: Pictures.scene(160, 120))
        #expect(try Renderer().render(other, head: otherHead, options: options(80, 80)).source != .embedded)
    }

    @Test("sizes that heads promise and previews break are noticed")
    func promised() throws {
        var (source, head) = try file(photograph: Pictures.scene(1600, 1200), preview: Pictures.scene(160, 120))
        head.previews[0].pixelSize = PixelSize(width: 640, height: 480)
        #expect(try Renderer().render(source, head: head, options: options(320, 240)).source != .embedded)
    }

    @Test("for a degraded image the smallest cheap preview that covers the target is tried first, else the largest")
    func order() throws {
        let sizes = [160, 320, 640, 1920]
        var head = ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 4000, height: 3000))
        head.previews = zip(sizes, [5, 20, 60, 500]).enumerated().map { index, pair in
            EmbeddedPreview(
                byteRange: index << 20..<index << 20 + pair.1 << 10, contentType: .jpeg,
                pixelSize: PixelSize(width: pair.0, height: pair.0 * 3 / 4))
        }
        func widths(_ target: Int) throws -> [Int] {
            let geometry = try RenditionGeometry(displaySize: head.displaySize, options: options(target, target))
            return PreviewSearch(head: head, geometry: geometry).degraded.compactMap(\.pixelSize?.width)
        }
        #expect(try widths(100) == [160, 320])
        #expect(try widths(200) == [320, 640])
        #expect(try widths(700) == [640, 320])
    }

    @Test("a RAW file is rendered from its picture, turned as the file says, at reduced scale where that suffices")
    func raw() throws {
        let (source, inner) = try file(photograph: Pictures.scene(1600, 1200), preview: Pictures.scene(160, 120))
        var head = inner
        head.contentType = .nef
        head.orientation = .right
        let jpeg = inner.previews[0].byteRange.lowerBound
        head.previews = [
            EmbeddedPreview(
                kind: .raw, byteRange: 0..<jpeg, contentType: .jpeg, pixelSize: PixelSize(width: 1600, height: 1200))
        ]
        let image = try Renderer().render(source, head: head, options: options(150, 200, quality: .high))
        #expect(image.source == .embedded && image.eighths < 8)
        #expect(image.bitmap.size == PixelSize(width: 150, height: 200))
        let plan = try RenderPlan(head: head, options: options(150, 200, quality: .high))
        #expect(plan.source == .embedded && plan.eighths == image.eighths)
        head.previews = []
        #expect(throws: RenderError.noPreview) { try Renderer().render(source, head: head, options: options(90, 90)) }
    }
}
