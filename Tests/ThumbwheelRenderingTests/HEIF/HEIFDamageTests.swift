import FixtureKit
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelRendering

/// Pictures some tiles of which are damaged.
@Suite("HEIF damage") struct HEIFDamageTests {
    private static func options(_ quality: RenderQuality) -> RenderOptions {
        var options = RenderOptions(targetSize: PixelSize(width: 125, height: 125), contentMode: .aspectFit)
        options.quality = quality
        return options
    }

    /// The file with the data of some tiles overwritten by zeros.
    private static func damaged(_ file: [UInt8], tiles: [Int]) throws -> [UInt8] {
        let images = try #require(try HEIFImages(reading: MemoryByteSource(file)))
        var damaged = file
        for place in tiles.flatMap({ images.picture.tiles[$0].extents }) {
            damaged.replaceSubrange(place, with: repeatElement(0, count: place.count))
        }
        return damaged
    }

    /// The fraction of the pixels that differ by more than a few levels.
    private static func differing(_ one: Bitmap, _ other: Bitmap) throws -> Double {
        try #require(one.size == other.size && one.format == other.format)
        let channels = one.format == .rgba ? 4 : 3
        let (samples, others) = (Pictures.samples(one), Pictures.samples(other))
        let count = stride(from: 0, to: samples.count, by: channels).count { start in
            (start..<start + channels).contains { abs(Int(samples[$0]) - Int(others[$0])) > 4 }
        }
        return Double(count * channels) / Double(samples.count)
    }

    @Test(
        "a fast image shows all tiles but the damaged one", arguments: ["hevc", "av1"], [[0], [5], [11], [0, 1, 2, 3]])
    func oneTile(_ codec: String, _ tiles: [Int]) throws {
        let file = try TiledFixture.file(TiledFixture.tiled(codec))
        let damaged = try MemoryByteSource(Self.damaged(file, tiles: tiles))
        let sound = try Renderer().render(MemoryByteSource(file), options: Self.options(.fast)).bitmap
        for renderer in [Renderer(), Renderer(assistants: ThreadAssistants())] {
            let image = try renderer.render(damaged, options: Self.options(.fast))
            #expect(image.isPartial)
            // A tile is 10 % of the picture or less, and the kernel carries its grey over its edges.
            #expect(try Self.differing(image.bitmap, sound) < 0.13 * Double(tiles.count))
            #expect(throws: RenderError.self) { try renderer.render(damaged, options: Self.options(.high)) }
        }
    }

    @Test("with alpha or cut off at its edges, a picture shows its sound tiles as well", arguments: [false, true])
    func pixels(_ hasAlpha: Bool) throws {
        var picture = TiledFixture.tiled()
        if hasAlpha { picture.alpha = TiledFixture.alpha(500, 330) }
        picture.properties = [TiledFixture.aperture(width: (480, 1), height: (310, 1))]
        let file = try TiledFixture.file(picture)
        let sound = try Renderer().render(MemoryByteSource(file), options: Self.options(.fast)).bitmap
        let image = try Renderer().render(
            MemoryByteSource(Self.damaged(file, tiles: [0])), options: Self.options(.fast))
        #expect(image.isPartial)
        #expect(try Self.differing(image.bitmap, sound) < 0.13)
    }

    @Test("a picture whose alpha is damaged or missing is shown opaque at fast quality", arguments: [false, true])
    func alpha(_ isMissing: Bool) throws {
        var picture = TiledFixture.tiled()
        picture.alpha = TiledFixture.alpha(500, 330)
        var file = try TiledFixture.file(picture)
        let sound = try Renderer().render(MemoryByteSource(file), options: Self.options(.fast)).bitmap
        let alpha = try #require(try HEIFImages(reading: MemoryByteSource(file))?.alpha)
        let place = try #require(alpha.tiles[0].extents.first)
        if isMissing {
            file.removeLast(file.count - place.lowerBound)
        } else {
            file.replaceSubrange(place, with: repeatElement(0, count: place.count))
        }
        let image = try Renderer().render(MemoryByteSource(file), options: Self.options(.fast))
        #expect(image.isPartial && image.bitmap.format == .rgba && image.bitmap.size == sound.size)
        let (samples, others) = (Pictures.samples(image.bitmap), Pictures.samples(sound))
        #expect(stride(from: 3, to: samples.count, by: 4).allSatisfy { samples[$0] == 255 })
        #expect(samples.indices.allSatisfy { $0 % 4 == 3 || abs(Int(samples[$0]) - Int(others[$0])) < 5 })
        #expect(throws: RenderError.self) {
            try Renderer().render(MemoryByteSource(file), options: Self.options(.high))
        }
    }

    @Test("a picture without a sound tile is an error", arguments: [false, true])
    func allTiles(_ isCropped: Bool) throws {
        var picture = TiledFixture.tiled()
        if isCropped { picture.properties = [TiledFixture.aperture(width: (480, 1), height: (310, 1))] }
        let file = try Self.damaged(TiledFixture.file(picture), tiles: Array(0..<12))
        #expect(throws: RenderError.self) {
            try Renderer().render(MemoryByteSource(file), options: Self.options(.fast))
        }
    }

    @Test("a crop without a sound tile is an error, although other tiles are sound", arguments: [false, true])
    func crop(_ isCropped: Bool) throws {
        var picture = TiledFixture.tiled()
        if isCropped { picture.properties = [TiledFixture.aperture(width: (498, 1), height: (328, 1))] }
        let file = try Self.damaged(TiledFixture.file(picture), tiles: [6])
        var options = RenderOptions(targetSize: PixelSize(width: 20, height: 20))
        options.normalizedCropRect = NormalizedRect(x: 0.6, y: 0.5, width: 0.1, height: 0.1)
        options.resizeMode = .exact
        options.quality = .fast
        #expect(throws: RenderError.self) { try Renderer().render(MemoryByteSource(file), options: options) }
    }
}
