import FixtureKit
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelRendering

/// Crops of pictures that are handed on as rows of pixels: those with alpha, and those that their files crop.
@Suite("Crops of HEIF pictures") struct HEIFCropTests {
    private static func options(x: Double, y: Double) -> RenderOptions {
        var options = RenderOptions(targetSize: PixelSize(width: 20, height: 20))
        options.normalizedCropRect = NormalizedRect(x: x, y: y, width: 0.1, height: 0.1)
        options.resizeMode = .exact
        return options
    }

    @Test(
        "only the tiles that a crop touches are read, whatever the picture has besides colours",
        arguments: [(alpha: true, clap: false), (alpha: false, clap: true), (alpha: true, clap: true)])
    func needed(_ hasAlpha: Bool, _ isCropped: Bool) throws {
        var picture = TiledFixture.tiled()
        if hasAlpha { picture.alpha = TiledFixture.alpha(100, 66) }
        if isCropped {
            // From 128 to 428 across, and from 100 to 330 down.
            picture.properties = [
                TiledFixture.aperture(width: (300, 1), height: (230, 1), right: (28, 1), down: (50, 1))
            ]
        }
        let file = try TiledFixture.file(picture)
        let images = try #require(try HEIFImages(reading: MemoryByteSource(file)))
        #expect(images.picture.transform.x == (isCropped ? 128 : 0))
        // Pixels 300 to 350 across and 165 to 198 down, with some more for the kernel: one tile of twelve.
        let options = isCropped ? Self.options(x: 172 / 300, y: 70 / 230) : Self.options(x: 0.6, y: 0.5)
        let source = CountingByteSource(file)
        let image = try Renderer().render(source, options: options)
        #expect(image.decoder == .de265 && !image.isPartial)
        let ranges = source.ranges
        let read = images.picture.tiles.map { ranges.contains($0.extents[0]) }
        #expect(read.indices.filter { read[$0] } == [6])
        // The pixels are those of the same part of the opaque, whole picture.
        let whole = try Renderer().render(
            MemoryByteSource(TiledFixture.file()), options: Self.options(x: 0.6, y: 0.5))
        guard !isCropped else { return }
        let (own, other) = (Pictures.samples(image.bitmap), Pictures.samples(whole.bitmap))
        let worst = (0..<own.count / 4).flatMap { pixel in
            (0..<3).map { abs(Int(own[pixel * 4 + $0]) - Int(other[pixel * 3 + $0])) }
        }.max()
        #expect(try #require(worst) <= 8)
    }
}
