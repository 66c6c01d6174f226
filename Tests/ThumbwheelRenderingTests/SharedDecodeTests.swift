import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// Several renditions of one decode.
@Suite struct SharedDecodeTests {
    /// A decoder each, and those that end in another's hands.
    private static let formats: [ImageEncoding] = [.jpeg(quality: 92), .png, .webp(quality: 92)]
    private let renderer = Renderer()
    private let picture = Pictures.scene(803, 602)

    private func expectAlike(
        _ bytes: [UInt8], _ options: [RenderOptions], tolerance: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let together = try renderer.render(MemoryByteSource(bytes), options: options).map { try $0.get() }
        #expect(together.count == options.count, sourceLocation: sourceLocation)
        let eighths = together.map(\.eighths).max()
        for (options, image) in zip(options, together) {
            let alone = try renderer.render(MemoryByteSource(bytes), options: options)
            #expect(image.bitmap.size == alone.bitmap.size, sourceLocation: sourceLocation)
            #expect(image.eighths == eighths, sourceLocation: sourceLocation)
            let difference = Pictures.largestDifference(image.bitmap, alone.bitmap)
            // Of the scale that it has alone it is the same to the last bit.
            #expect(
                try #require(difference) <= (alone.eighths == eighths ? 0 : tolerance), "\(options.targetSize)",
                sourceLocation: sourceLocation)
        }
    }

    @Test("each is as large as alone, and shows the same", arguments: formats)
    func sizes(format: ImageEncoding) throws {
        let options = [40, 90, 150, 300].map { side in
            RenderOptions(
                targetSize: PixelSize(width: side, height: side), contentMode: side == 90 ? .aspectFit : .aspectFill)
        }
        try expectAlike(try picture.encoded(as: format), options, tolerance: 14)
    }

    @Test("each resize mode keeps its own sizes", arguments: formats, ResizeMode.allCases)
    func resizeModes(format: ImageEncoding, mode: ResizeMode) throws {
        let options = [50, 120, 260].map { side in
            RenderOptions(targetSize: PixelSize(width: side, height: side), resizeMode: mode, quality: .fast)
        }
        try expectAlike(try picture.encoded(as: format), options, tolerance: 40)
    }

    @Test("a decode as it is has finer chroma, and so have those that are made along with it")
    func natural() throws {
        let picture = Raster(Scene(seed: 12, subject: .seaside, noise: 3), width: 1600, height: 1200)
        let bytes = try JPEGEncoder(quality: 90, subsampling: .yuv420).encode(picture)
        let options = [60, 150].map { side in
            RenderOptions(targetSize: PixelSize(width: side, height: side), resizeMode: .fast)
        }
        let together = try renderer.render(MemoryByteSource(bytes), options: options).map { try $0.get().bitmap }
        let alone = try options.map { try renderer.render(MemoryByteSource(bytes), options: $0) }
        #expect(alone.map(\.eighths) == [1, 1])
        #expect(Pictures.largestDifference(together[1], alone[1].bitmap) == 0)
        #expect(try 1...14 ~= #require(Pictures.largestDifference(together[0], alone[0].bitmap)))
    }

    @Test("what libvips decodes keeps its sizes too")
    func vips() throws {
        let bytes = try #require(FixtureLibrary.fixture("library/cmyk.jpg")).bytes()
        for mode in ResizeMode.allCases {
            let options = [50, 120, 260].map { side in
                RenderOptions(targetSize: PixelSize(width: side, height: side), resizeMode: mode)
            }
            try expectAlike(bytes, options, tolerance: 40)
        }
    }

    @Test("crops that share no row and no column, in every orientation", arguments: ImageOrientation.allCases)
    func crops(orientation: ImageOrientation) throws {
        let bytes = try Pictures.jpeg(picture, orientation: orientation)
        let options = [(0.0, 0.0), (0.7, 0.6), (0.1, 0.8)].map { x, y in
            RenderOptions(
                targetSize: PixelSize(width: 30, height: 20),
                normalizedCropRect: NormalizedRect(x: x, y: y, width: 0.2, height: 0.2))
        }
        try expectAlike(bytes, options, tolerance: 0)
    }

    @Test("linear light, the better sampling and whole images go along with the rest")
    func unlike() throws {
        let small = PixelSize(width: 70, height: 50)
        var linear = RenderOptions(targetSize: small)
        linear.isLinear = true
        var best = RenderOptions(targetSize: small)
        best.sampling = .best
        try expectAlike(
            try Pictures.jpeg(picture, orientation: .right),
            [linear, best, RenderOptions(targetSize: .maximum), RenderOptions(targetSize: small)], tolerance: 14)
    }

    @Test("one that cannot be is no reason for the others to fail")
    func failing() throws {
        let bytes = try picture.encoded(as: .jpeg(quality: 90))
        var huge = RenderOptions(targetSize: PixelSize(width: 90_000, height: 90_000))
        huge.allowsUpscaling = true
        let invalid = RenderOptions(targetSize: PixelSize(width: 0, height: 5))
        let results = try renderer.render(
            MemoryByteSource(bytes),
            options: [huge, RenderOptions(targetSize: PixelSize(width: 9, height: 9)), invalid])
        #expect(throws: RenderError.limitExceeded(limit: .pixels)) { try results[0].get() }
        #expect(try results[1].get().bitmap.size == PixelSize(width: 9, height: 9))
        #expect(throws: RenderError.self) { try results[2].get() }
    }

    @Test("of a damaged file fast ones are all partial, and high ones all fail")
    func damage() throws {
        let bytes = Array(try picture.encoded(as: .jpeg(quality: 90)).prefix(9000))
        let sizes = [20, 60].map { PixelSize(width: $0, height: $0) }
        let fast = try renderer.render(
            MemoryByteSource(bytes), options: sizes.map { RenderOptions(targetSize: $0, quality: .fast) })
        #expect(try fast.allSatisfy { try $0.get().isPartial })
        #expect(throws: RenderError.self) {
            try renderer.render(MemoryByteSource(bytes), options: sizes.map { RenderOptions(targetSize: $0) })
        }
    }
}
