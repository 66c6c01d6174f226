import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Renderer")
struct RendererTests {
    let renderer = Renderer()

    func render(_ bytes: [UInt8], _ options: RenderOptions) throws -> RenderedImage {
        try renderer.render(MemoryByteSource(bytes), options: options)
    }

    @Test("a PNG comes back sample for sample", arguments: [Bitmap.PixelFormat.rgb, .rgba])
    func lossless(format: Bitmap.PixelFormat) throws {
        let picture = Pictures.scene(123, 77, format: format)
        let image = try render(try picture.encoded(as: .png), RenderOptions(targetSize: .maximum))
        #expect(Pictures.largestDifference(image.bitmap, picture) == 0)
        #expect(image.source == .full && image.eighths == 8 && !image.isPartial)
    }

    @Test(
        "lossy formats come back close to what went in",
        arguments: [ImageEncoding.jpeg(quality: 95), .webp(quality: 95)])
    func lossy(encoding: ImageEncoding) throws {
        let picture = Pictures.scene(160, 120)
        let image = try render(try picture.encoded(as: encoding), RenderOptions(targetSize: .maximum))
        #expect(try #require(Pictures.largestDifference(image.bitmap, picture)) < 24)
    }

    @Test("a JPEG with alpha lies on white")
    func flattening() throws {
        let picture = Pictures.bitmap(16, 16, format: .rgba) { _, _, channel in channel == 3 ? 0 : 10 }
        let image = try render(try picture.encoded(as: .jpeg(quality: 95)), RenderOptions(targetSize: .maximum))
        #expect(Pictures.samples(image.bitmap).allSatisfy { $0 >= 253 })
    }

    @Test("all eight orientations stand upright, unscaled and resampled", arguments: ImageOrientation.allCases)
    func orientation(_ orientation: ImageOrientation) throws {
        let bytes = try Pictures.jpeg(Pictures.scene(96, 64), orientation: orientation)
        let stored = try render(
            try Pictures.jpeg(Pictures.scene(96, 64), orientation: .up), RenderOptions(targetSize: .maximum)
        ).bitmap
        let upright = Pictures.upright(stored, orientation)
        let whole = try render(bytes, RenderOptions(targetSize: .maximum)).bitmap
        #expect(Pictures.largestDifference(whole, upright) == 0)
        // Cropped and reduced, against the same from a file that is stored upright.
        let options = RenderOptions(
            targetSize: PixelSize(width: 25, height: 17), contentMode: .aspectFill,
            normalizedCropRect: NormalizedRect(x: 0.1, y: 0.2, width: 0.55, height: 0.7))
        let made = try render(bytes, options).bitmap
        let expected = try render(try upright.encoded(as: .png), options).bitmap
        #expect(try #require(Pictures.largestDifference(made, expected)) <= 1)
    }

    @Test(
        "a reduced decode shows the same region as a full one", arguments: [1600, 1601, 1607],
        [ContentMode.aspectFill, .aspectFit])
    func reducedDecode(width: Int, contentMode: ContentMode) throws {
        let picture = Pictures.scene(width, 1203)
        let options = RenderOptions(
            targetSize: PixelSize(width: 90, height: 90), contentMode: contentMode,
            normalizedCropRect: NormalizedRect(x: 0.113, y: 0.207, width: 0.8, height: 0.7))
        let reduced = try render(try picture.encoded(as: .jpeg(quality: 98)), options)
        let full = try render(try picture.encoded(as: .png), options)
        #expect(reduced.source == .reduced && full.source == .full)
        #expect(try #require(Pictures.largestDifference(reduced.bitmap, full.bitmap)) <= 4)
    }

    @Test("natural sizes are delivered as they are decoded")
    func natural() throws {
        let bytes = try Pictures.scene(803, 601).encoded(as: .jpeg(quality: 90))
        let image = try render(
            bytes, RenderOptions(targetSize: PixelSize(width: 150, height: 150), resizeMode: .none))
        // 200¾ by 150¼: incomplete pixels count.
        #expect(image.bitmap.size == PixelSize(width: 201, height: 151))
        #expect(image.eighths == 2)
    }

    @Test("an enlargement is made where it is allowed")
    func upscaling() throws {
        let bytes = try Pictures.scene(40, 30).encoded(as: .png)
        var options = RenderOptions(targetSize: PixelSize(width: 80, height: 80), contentMode: .aspectFit)
        #expect(try render(bytes, options).bitmap.size == PixelSize(width: 40, height: 30))
        options.allowsUpscaling = true
        #expect(try render(bytes, options).bitmap.size == PixelSize(width: 80, height: 60))
    }

    @Test("16 bits, CMYK, grey with alpha and palettes become 8-bit sRGB")
    func pixelKinds() throws {
        let maximum = RenderOptions(targetSize: .maximum)
        let deep = Pictures.samples(try render(Self.decoded(Self.deepPNG), maximum).bitmap)
        #expect(deep.count == 4 * 2 * 3)
        #expect(abs(Int(deep[3]) - 0x55) <= 1 && abs(Int(deep[2]) - 0x80) <= 1 && deep[13] == 255)
        let red = Pictures.samples(try render(Self.decoded(Self.redCMYK), maximum).bitmap)
        #expect(red.count == 16 * 16 * 3 && red[0] > 200 && red[1] < 60 && red[2] < 60)
        let grey = try render(Self.decoded(Self.greyAlphaPNG), maximum).bitmap
        #expect(grey.format == .rgba)
        #expect(Pictures.samples(grey)[..<12] == [0, 0, 0, 255, 128, 128, 128, 128, 255, 255, 255, 0])
        for file in [Self.palettePNG, Self.paletteGIF] {
            let palette = Pictures.samples(try render(Self.decoded(file), maximum).bitmap)
            let step = palette.count / 4
            #expect(Array(palette[..<3]) == [255, 0, 0] && Array(palette[3 * step..<3 * step + 3]) == [9, 8, 7])
        }
    }

    @Test("grey JPEGs become RGB, whole and resampled")
    func grey() throws {
        // libvips writes three equal channels; the grey path is reached through a PNG of one channel in `pixelKinds`.
        let bytes = try Pictures.bitmap(64, 64) { x, _, _ in x * 4 }.encoded(as: .jpeg(quality: 95))
        let image = try render(bytes, RenderOptions(targetSize: PixelSize(width: 20, height: 20)))
        let samples = Pictures.samples(image.bitmap)
        #expect(
            stride(from: 0, to: samples.count, by: 3).allSatisfy { abs(Int(samples[$0]) - Int(samples[$0 + 1])) <= 2 })
    }

    @Test("a file whose pixels or bytes exceed the limits is refused before it is decoded")
    func limits() throws {
        let bytes = try Pictures.scene(100, 100).encoded(as: .png)
        let options = RenderOptions(targetSize: PixelSize(width: 10, height: 10))
        #expect(throws: RenderError.limitExceeded(limit: .pixels)) {
            try renderer.render(MemoryByteSource(bytes), options: options, limits: RenderLimits(pixelCount: 9999))
        }
        #expect(throws: RenderError.limitExceeded(limit: .bytes)) {
            try renderer.render(MemoryByteSource(bytes), options: options, limits: RenderLimits(byteCount: 10))
        }
        #expect(throws: RenderError.limitExceeded(limit: .duration)) {
            try renderer.render(MemoryByteSource(bytes), options: options, limits: RenderLimits(duration: .zero))
        }
        let huge = RenderOptions(targetSize: PixelSize(width: 1 << 20, height: 1 << 20)) { $0.allowsUpscaling = true }
        #expect(throws: RenderError.limitExceeded(limit: .pixels)) {
            try renderer.render(MemoryByteSource(bytes), options: huge)
        }
    }

    @Test("types that are not on the list are refused")
    func unsupported() {
        #expect(throws: RenderError.unsupportedFormat) {
            try render(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), RenderOptions(targetSize: .maximum))
        }
    }

    @Test(
        "every photograph at hand renders to the size asked for",
        .enabled(if: !SharedPhotos.paths.isEmpty, "../shared/photos is not there"), arguments: SharedPhotos.paths)
    func photographs(path: String) throws {
        let source = try FileByteSource(path: path)
        let size = PixelSize(width: 96, height: 96)
        let image = try renderer.render(source, options: RenderOptions(targetSize: size, quality: .fast))
        #expect(image.bitmap.size == size)
    }

    static func decoded(_ base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64)!) }

    // Made by Pillow: what `Bitmap.encoded` does not write.
    static let redCMYK =
        "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgW"
        + "FBgSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAAB"
        + "fQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp"
        + "anN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5"
        + "+v/aAA4EQwBNAFkASwAAPwD9U6/Kqvyqr9U6KKKKKKKKKKKK/9k="
    static let deepPNG =
        "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACEAIAAACgWjZ3AAAAJElEQVR42hXJMQEAAAiEwC9pH/N8SRSGW0i+zYy2CvqBQ1sFPXEtE/G+elHv"
        + "AAAAAElFTkSuQmCC"
    static let greyAlphaPNG =
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAQAAAA3fa6RAAAAFklEQVR4nGNg+N/Q8J+BkUtEREREBAAg6ANuj9BdrQAAAABJRU5ErkJggg=="
    static let palettePNG =
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACAgMAAAAP2OW3AAAADFBMVEX/AAAA/wAAAP8JCAei0mLAAAAADElEQVR4nGMQYNgAAADkAMEnqOhX"
        + "AAAAAElFTkSuQmCC"
    static let paletteGIF = "R0lGODdhAgACAIEAAP8AAAD/AAAA/wkIBywAAAAAAgACAAAIBwABBBAwICAAOw=="
}

/// Photographs that lie beside the package on some machines; none where they do not.
enum SharedPhotos {
    static let paths: [String] = {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = package.deletingLastPathComponent().appendingPathComponent("shared/photos")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0).path }
    }()
}
