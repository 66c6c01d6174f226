import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// Bitmaps in linear light: what else handles them.
@Suite struct ExtendedBitmapTests {
    private static func bitmap(
        _ width: Int, _ height: Int, _ color: (Int, Int) -> SIMD4<Float>
    ) -> Bitmap {
        Bitmap(size: PixelSize(width: width, height: height), format: .linearRGBA) { bytes in
            let pixels = bytes.bindMemory(to: UInt64.self)
            for index in pixels.indices { pixels[index] = HalfFloat.pixel(color(index % width, index / width)) }
        }
    }

    @Test("8-bit pixels come back from linear light as they were", arguments: [Bitmap.PixelFormat.rgb, .rgba])
    func roundTrip(format: Bitmap.PixelFormat) {
        let picture = Pictures.scene(256, 40, format: format)
        let light = picture.inExtendedRange()
        #expect(light.byteCount == 256 * 40 * 8)
        #expect(Pictures.largestDifference(light.inStandardRange(), picture) == 0)
    }

    @Test("highlights are tone-mapped like PQ's, and pictures without highlights are not")
    func standardRange() throws {
        // A grey ramp to 1000 cd/m², once as PQ samples and once as light.
        let samples = Pictures.bitmap(180, 4) { x, _, _ in x }
        let colors = try CodedColorTests.coded(1, 16)
        let toned = try colors.convertedToSRGB(
            samples, checking: DecodeGuard(cancellation: nil, duration: .seconds(3600)))
        let light = Self.bitmap(180, 4) { x, _ in
            let grey = Float(CodedTransfer.pqLight(Double(x) / 255) / ToneMap.white)
            return SIMD4(grey, grey, grey, 1)
        }
        #expect(try #require(Pictures.largestDifference(light.inStandardRange(), toned)) <= 1)
        // The red of Display P3 is above 1, but no highlight.
        let red = Self.bitmap(4, 4) { x, _ in x == 0 ? SIMD4(1.2249, -0.042, -0.0196, 1) : SIMD4(1, 1, 1, 1) }
        #expect(Pictures.samples(red.inStandardRange()).prefix(6) == [255, 0, 0, 255, 255, 255])
    }

    @Test("every encoder writes them", arguments: [ImageEncoding.png, .jpeg(quality: 95), .webp(quality: 95)])
    func encoders(encoding: ImageEncoding) throws {
        let scene = Pictures.scene(120, 80)
        let file = try scene.inExtendedRange().encoded(as: encoding)
        #expect(try file == scene.encoded(as: encoding))
        let veiled = Pictures.scene(120, 80, format: .rgba)
        #expect(try veiled.inExtendedRange().encoded(as: encoding) == veiled.encoded(as: encoding))
        let bright = Self.bitmap(64, 64) { x, _ in SIMD4(Float(x) / 13, 0.5, -0.1, 1) }
        let image = try Renderer().render(
            MemoryByteSource(try bright.encoded(as: encoding)), options: RenderOptions(targetSize: .maximum))
        #expect(image.bitmap.size == bright.size && image.bitmap.format == .rgb)
        #expect(Pictures.meanDifference(image.bitmap, bright.inStandardRange()) < 3)
    }

    @Test("they are resampled in linear light or not, and keep what is beyond the range")
    func resampled() throws {
        let whole = SourceBox(x: 0, y: 0, width: 64, height: 64)
        let target = PixelSize(width: 23, height: 23)
        for isLinear in [false, true] {
            let options = RenderOptions(targetSize: target) { $0.isLinear = isLinear }
            let even = Self.bitmap(64, 64) { _, _ in SIMD4(4.5, -0.25, 0.01, 0.5) }
            let picture = LightPicture(try even.resampled(whole, to: target, options: options))
            #expect(picture.size == target)
            #expect(picture.difference { _, _ in SIMD4(4.5, -0.25, 0.01, 0.5) } < 1 / 512.0)
        }
        let scene = Pictures.scene(64, 64)
        let options = RenderOptions(targetSize: target)
        let light = try scene.inExtendedRange().resampled(whole, to: target, options: options)
        let narrow = try scene.resampled(whole, to: target, options: options)
        #expect(Pictures.meanDifference(light.inStandardRange(), narrow) < 1)
        // A whole part at its own size is a copy.
        let part = SourceBox(x: 10, y: 20, width: 30, height: 40)
        let copy = LightPicture(
            try scene.inExtendedRange().resampled(part, to: PixelSize(width: 30, height: 40), options: options))
        let all = LightPicture(scene.inExtendedRange())
        #expect((0..<30).allSatisfy { copy[$0, 7] == all[$0 + 10, 27] })
    }

    @Test("a hash is that of the 8-bit picture, whichever image it is made with")
    func hashes() throws {
        let scene = Pictures.scene(300, 200)
        #expect(ThumbHash(scene.inExtendedRange()) == ThumbHash(scene))
        for encoding in [ImageEncoding.jpeg(quality: 90), .png] {
            let source = MemoryByteSource(try scene.encoded(as: encoding))
            var options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))
            let standard = try Renderer().render(source, options: options, makesThumbHash: true)
            options.pixelRange = .extended
            let extended = try Renderer().render(source, options: options, makesThumbHash: true)
            #expect(extended.bitmap.format == .linearRGBA && extended.thumbHash != nil)
            #expect(extended.thumbHash == standard.thumbHash)
        }
        let wide = PNGFile(
            width: 90, height: 60, depth: 16, colorType: 2, sample: { x, y, channel in x * 500 + y * 300 * channel }
        ).encoded()
        let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64)) { $0.pixelRange = .extended }
        #expect(try Renderer().render(MemoryByteSource(wide), options: options, makesThumbHash: true).thumbHash != nil)
    }

    @Test("they are not packed")
    func packing() {
        #expect(PackedBitmap(Pictures.scene(64, 64).inExtendedRange()) == nil)
        #expect(PackedBitmap(Pictures.scene(64, 64)) != nil)
    }

    @Test("their memory is predicted with eight bytes a pixel")
    func cost() throws {
        let file = try Pictures.scene(300, 200).encoded(as: .jpeg(quality: 90))
        let head = try ImageHead(reading: MemoryByteSource(file))
        var options = RenderOptions(targetSize: PixelSize(width: 120, height: 80))
        let standard = try RenderCost(head: head, options: options, byteCount: file.count)
        options.pixelRange = .extended
        let extended = try RenderCost(head: head, options: options, byteCount: file.count)
        #expect(standard.outputByteCount == 120 * 80 * 3 && extended.outputByteCount == 120 * 80 * 8)
        #expect(extended.milliseconds > standard.milliseconds)
        let image = try Renderer().render(MemoryByteSource(file), options: options)
        #expect(image.bitmap.byteCount == extended.outputByteCount)
    }

    @Test("a degraded image has the format too, and no preview replaces the photograph")
    func previews() throws {
        let (source, head) = try PreviewTests().file(Pictures.scene(160, 120), of: PixelSize(width: 4000, height: 3000))
        var options = RenderOptions(targetSize: PixelSize(width: 100, height: 75), quality: .fast)
        let standard = try Renderer().renderPreview(source, head: head, options: options).bitmap
        options.pixelRange = .extended
        let extended = try Renderer().renderPreview(source, head: head, options: options).bitmap
        #expect(extended.format == .linearRGBA && extended.size == standard.size)
        #expect(Pictures.meanDifference(extended.inStandardRange(), standard) < 1)
        #expect(!options.mayUsePreviews)
        #expect(try RenderPlan(head: head, options: options).fastPreview == nil)
    }
}
