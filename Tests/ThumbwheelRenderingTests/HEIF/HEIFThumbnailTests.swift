import FixtureKit
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelRendering

/// Thumbnails that show another part of the picture, or show it turned.
@Suite("HEIF thumbnails") struct HEIFThumbnailTests {
    private static let options = {
        var options = RenderOptions(targetSize: PixelSize(width: 60, height: 60))
        options.quality = .fast
        return options
    }()

    /// A file whose picture and whose thumbnail have properties of their own.
    private static func file(picture: [[UInt8]], thumbnail: [[UInt8]]) throws -> [UInt8] {
        var tiled = TiledFixture.tiled()
        tiled.thumbnailWidth = 250
        var file = try TiledFixture.itemFile(tiled)
        file.items[0].properties += picture
        file.items[file.items.count - 1].properties += thumbnail
        return file.encoded
    }

    private static func half(_ width: Int, _ height: Int) -> [UInt8] {
        TiledFixture.aperture(width: (width, 2), height: (height, 2))
    }

    /// Properties of the picture and of the thumbnail that do not agree.
    private static let disagreeing: [(picture: [[UInt8]], thumbnail: [[UInt8]])] = [
        ([ItemFile.box("irot", [2])], []),
        ([], [ItemFile.box("irot", [2])]),
        ([ItemFile.box("imir", [0])], []),
        ([ItemFile.box("imir", [1])], [ItemFile.box("imir", [0])]),
        ([half(500, 330)], []),
        ([half(500, 330)], [TiledFixture.aperture(width: (125, 1), height: (165, 2), right: (30, 1))]),
    ]

    @Test("a thumbnail that is turned, mirrored or cropped otherwise than the picture is not shown", arguments: 0..<6)
    func disagreeing(_ index: Int) throws {
        let (picture, thumbnail) = Self.disagreeing[index]
        let source = MemoryByteSource(try Self.file(picture: picture, thumbnail: thumbnail))
        let image = try Renderer().render(source, options: Self.options)
        #expect(image.source == .full)
        #expect(throws: RenderError.noPreview) { try Renderer().renderPreview(source, options: Self.options) }
    }

    @Test("one that agrees is shown", arguments: 0..<4)
    func agreeing(_ index: Int) throws {
        let agreeing: [(picture: [[UInt8]], thumbnail: [[UInt8]])] = [
            ([], []), ([ItemFile.box("irot", [2])], [ItemFile.box("irot", [2])]),
            ([ItemFile.box("irot", [2]), ItemFile.box("imir", [0])], [ItemFile.box("imir", [1])]),
            ([Self.half(500, 330)], [Self.half(250, 165)]),
        ]
        let (picture, thumbnail) = agreeing[index]
        let source = MemoryByteSource(try Self.file(picture: picture, thumbnail: thumbnail))
        let image = try Renderer().render(source, options: Self.options)
        #expect(image.source == .embedded)
        var options = Self.options
        options.usesEmbeddedPreviews = false
        let full = try Renderer().render(source, options: options)
        // The thumbnail of this fixture is made of nearest pixels.
        #expect(image.bitmap.size == full.bitmap.size && Pictures.meanDifference(image.bitmap, full.bitmap) < 14)
        #expect(try Renderer().renderPreview(source, options: Self.options).source == .embedded)
    }
}
