import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite struct RenditionReuseTests {
    private static let photograph = PixelSize(width: 4000, height: 3000)

    private func geometry(
        _ width: Int, _ height: Int, _ content: ContentMode = .aspectFill, _ resize: ResizeMode = .exact,
        crop: NormalizedRect? = nil, of size: PixelSize = photograph, upscaling: Bool = false
    ) throws -> RenditionGeometry {
        try RenditionGeometry(
            displaySize: size,
            options: RenderOptions(
                targetSize: PixelSize(width: width, height: height), contentMode: content, resizeMode: resize,
                normalizedCropRect: crop
            ) { $0.allowsUpscaling = upscaling },
            naturalEighths: Array(1...8))
    }

    @Test("a rendition twice as large each way, of the same aspect, gives all of its pixels")
    func sameAspect() throws {
        let box = try geometry(128, 128).box(in: geometry(256, 256), headroom: 2)
        #expect(box == SourceBox(x: 0, y: 0, width: 256, height: 256))
        #expect(try geometry(129, 129).box(in: geometry(256, 256), headroom: 2) == nil)
    }

    @Test("a whole photograph gives a centred crop, a crop does not give what it has not")
    func otherAspect() throws {
        let fitted = try geometry(512, 512, .aspectFit)
        #expect(fitted.outputSize == PixelSize(width: 512, height: 384))
        #expect(
            try geometry(128, 128).box(in: fitted, headroom: 2) == SourceBox(x: 64, y: 0, width: 384, height: 384))
        #expect(try geometry(64, 64, .aspectFit).box(in: geometry(512, 512), headroom: 2) == nil)
    }

    @Test("a larger rendition of another part does not serve, one of a part around it does")
    func crops() throws {
        let left = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
        let corner = NormalizedRect(x: 0.25, y: 0, width: 0.25, height: 0.5)
        let large = try geometry(500, 750, crop: left)
        let box = try #require(try geometry(100, 150, crop: corner).box(in: large, headroom: 2))
        #expect(box == SourceBox(x: 250, y: 0, width: 250, height: 375))
        let right = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1)
        #expect(try geometry(100, 150, crop: right).box(in: large, headroom: 2) == nil)
    }

    @Test("the photograph's own pixels are always enough, enlarged ones never")
    func nativePixels() throws {
        let small = PixelSize(width: 300, height: 300)
        let native = try geometry(300, 300, of: small)
        #expect(try geometry(250, 250, of: small).box(in: native, headroom: 2) != nil)
        let enlarged = try geometry(900, 900, of: small, upscaling: true)
        #expect(try geometry(100, 100, of: small).box(in: enlarged, headroom: 2) == nil)
    }

    @Test("a decode delivered as it is has exact eighths, though its last pixels may be incomplete")
    func naturalDecodes() throws {
        let odd = PixelSize(width: 4001, height: 3001)
        let natural = try geometry(900, 900, .aspectFit, .none, of: odd)
        #expect(natural.isNatural && natural.outputSize == PixelSize(width: 1001, height: 751))
        let box = try #require(try geometry(200, 200, .aspectFit, of: odd).box(in: natural, headroom: 2))
        #expect(box == SourceBox(x: 0, y: 0, width: 4001.0 / 4, height: 3001.0 / 4))
    }

    @Test("resampled from a rendition twice as large, an image differs little from one made of the photograph")
    func closeness() throws {
        let source = Bitmap(size: PixelSize(width: 640, height: 640), format: .rgb) { pixels in
            for index in pixels.indices {
                let (x, y, channel) = (index / 3 % 640, index / 1920, index % 3)
                pixels[index] = UInt8((x * (channel + 1) / 4 + y / 2 + (x / 16 ^ y / 16) & 1 * 40) & 127 + 60)
            }
        }
        let whole = SourceBox(x: 0, y: 0, width: 640, height: 640)
        let options = RenderOptions(targetSize: PixelSize(width: 80, height: 80))
        let direct = try source.resampled(whole, to: options.targetSize, options: options)
        let large = try source.resampled(whole, to: PixelSize(width: 160, height: 160), options: options)
        let indirect = try large.resampled(
            SourceBox(x: 0, y: 0, width: 160, height: 160), to: options.targetSize, options: options)
        let differences = zip(Pictures.samples(direct), Pictures.samples(indirect)).map { abs(Int($0) - Int($1)) }
        #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 2)
    }

    @Test("a cancelled token ends it")
    func cancellation() {
        let token = CancellationToken()
        token.cancel()
        let source = Bitmap(size: PixelSize(width: 64, height: 64), format: .rgba) { _ in }
        #expect(throws: RenderError.cancelled) {
            try source.resampled(
                SourceBox(x: 0, y: 0, width: 64, height: 64), to: PixelSize(width: 16, height: 16),
                options: RenderOptions(targetSize: PixelSize(width: 16, height: 16)), cancellation: token)
        }
    }
}
