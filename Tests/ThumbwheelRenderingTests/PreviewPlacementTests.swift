import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Places and colours of previews")
struct PreviewPlacementTests {
    /// A photograph with a preview behind it, each with a profile of its own or none.
    private static func file(
        _ photograph: Bitmap, _ preview: Bitmap, profile: [UInt8]? = nil, previewProfile: [UInt8]? = nil
    ) throws -> (MemoryByteSource, ImageHead) {
        let whole = try jpeg(photograph, profile)
        let small = try jpeg(preview, previewProfile)
        var head = try ImageHead(reading: MemoryByteSource(whole))
        head.previews = [
            EmbeddedPreview(
                byteRange: whole.count..<whole.count + small.count, contentType: .jpeg, pixelSize: preview.size)
        ]
        return (MemoryByteSource(whole + small), head)
    }

    private static func jpeg(_ bitmap: Bitmap, _ profile: [UInt8]?) throws -> [UInt8] {
        let bytes = try bitmap.encoded(as: .jpeg(quality: 95))
        guard let profile else { return bytes }
        let contents = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        return bytes[..<2] + [0xFF, 0xE2] + Profiles.big(contents.count + 2, 2) + contents + bytes[2...]
    }

    private static func options(_ width: Int, _ height: Int) -> RenderOptions {
        RenderOptions(targetSize: PixelSize(width: width, height: height), contentMode: .aspectFit, quality: .fast)
    }

    private static func decoded(_ file: (MemoryByteSource, ImageHead), _ options: RenderOptions) throws -> Bitmap {
        var options = options
        options.usesEmbeddedPreviews = false
        return try Renderer().render(file.0, head: file.1, options: options).bitmap
    }

    private static func meanDifference(_ one: Bitmap, _ other: Bitmap) throws -> Double {
        try #require(one.size == other.size && one.format == other.format)
        let (first, second) = (Pictures.samples(one), Pictures.samples(other))
        return Double(zip(first, second).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(first.count)
    }

    /// Waves from top to bottom, which reveal a shift by a hundredth of the height.
    private static func waves(_ width: Int, _ height: Int) -> Bitmap {
        Pictures.bitmap(width, height) { x, y, channel in
            let (u, v) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
            return Int(128 + 90 * sin(2 * .pi * (6 * v + 0.3 * Double(channel))) + 30 * u)
        }
    }

    @Test("in a decode of a few rows, the last, incomplete row is no bar")
    func stripe() throws {
        func picture(_ width: Int, _ height: Int) -> Bitmap {
            Pictures.bitmap(width, height) { _, y, channel in
                16 * y < height ? [237, 17, 17][channel] : [120, 118, 116][channel]
            }
        }
        let file = try Self.file(picture(1200, 804), picture(160, 107))
        let options = Self.options(16, 16)
        let image = try Renderer().render(file.0, head: file.1, options: options)
        #expect(image.source == .embedded && image.eighths == 1)
        let (first, second) = (Pictures.samples(image.bitmap), Pictures.samples(try Self.decoded(file, options)))
        for channel in 0..<3 { #expect(abs(Int(first[channel]) - Int(second[channel])) < 12) }
    }

    @Test(
        "a preview is placed by fractions of a pixel at every scale",
        arguments: [(1200, 804, 160, 107), (1504, 1000, 160, 107), (1000, 1504, 107, 160), (1200, 900, 150, 113)])
    func scales(width: Int, height: Int, previewWidth: Int, previewHeight: Int) throws {
        let file = try Self.file(Self.waves(width, height), Self.waves(previewWidth, previewHeight))
        for eighths in 1...7 {
            let side = max(previewWidth, previewHeight) * eighths / 8
            let options = Self.options(side, side)
            let image = try Renderer().render(file.0, head: file.1, options: options)
            let difference = try Self.meanDifference(image.bitmap, Self.decoded(file, options))
            #expect(image.source == .embedded && eighths...eighths + 1 ~= image.eighths)
            #expect(difference < 2.5, "\(eighths)/8: \(difference)")
        }
    }

    @Test("a degraded image has the same place as the photograph", arguments: [(512, 341), (413, 275), (648, 432)])
    func degraded(width: Int, height: Int) throws {
        let file = try Self.file(Self.waves(2400, 1600), Self.waves(width, height))
        let image = try Renderer().renderPreview(file.0, head: file.1, options: Self.options(1200, 1200))
        #expect(image.eighths < 8)
        let size = image.bitmap.size
        let decoded = try Self.decoded(file, Self.options(size.width, size.height))
        #expect(try Self.meanDifference(image.bitmap, decoded) < 3)
    }

    // MARK: Colours

    /// A display whose red is green, and the other way round.
    private static let swapped = Profiles.rgb(
        .gamma(2.2),
        Matrix3(
            rows: Matrix3.sRGB.rows.map { SIMD3($0[1], $0[0], $0[2]) }))

    @Test("a preview without a profile has the photograph's colours")
    func inherited() throws {
        let file = try Self.file(Pictures.scene(1600, 1200), Pictures.scene(160, 120), profile: Self.swapped)
        #expect(file.1.profile != nil)
        let options = Self.options(120, 90)
        let decoded = try Self.decoded(file, options)
        let image = try Renderer().render(file.0, head: file.1, options: options)
        #expect(image.source == .embedded)
        #expect(try Self.meanDifference(image.bitmap, decoded) < 3)
        let degraded = try Renderer().renderPreview(file.0, head: file.1, options: options)
        #expect(try Self.meanDifference(degraded.bitmap, decoded) < 3)
    }

    @Test("a preview's own profile counts before the photograph's", arguments: [true, false])
    func own(photographHasOne: Bool) throws {
        // The same colours as the photograph's, in samples for the preview's own profile.
        let preview = Pictures.bitmap(160, 120) { x, y, channel in
            let channel = [1, 0, 2][channel]
            return [x * 255 / 160, y * 255 / 120, 128][channel]
        }
        let photograph = Pictures.bitmap(1600, 1200) { x, y, channel in [x * 255 / 1600, y * 255 / 1200, 128][channel] }
        let file = try Self.file(
            photograph, preview, profile: photographHasOne ? Profiles.rgb(.gamma(2.2), .sRGB) : nil,
            previewProfile: Self.swapped)
        let options = Self.options(120, 90)
        let degraded = try Renderer().renderPreview(file.0, head: file.1, options: options)
        #expect(try Self.meanDifference(degraded.bitmap, Self.decoded(file, options)) < 6)
    }

    @Test("if EXIF says Adobe RGB, the preview is Adobe RGB as well")
    func adobeRGB() throws {
        var file = try Self.file(Pictures.scene(1600, 1200), Pictures.scene(160, 120))
        let options = Self.options(120, 90)
        let plain = try Renderer().renderPreview(file.0, head: file.1, options: options)
        file.1.exifColorSpace = .adobeRGB
        let decoded = try Self.decoded(file, options)
        let degraded = try Renderer().renderPreview(file.0, head: file.1, options: options)
        #expect(try Self.meanDifference(degraded.bitmap, decoded) < 3)
        #expect(try Self.meanDifference(degraded.bitmap, plain.bitmap) > 3)
        let image = try Renderer().render(file.0, head: file.1, options: options)
        #expect(image.source == .embedded)
        #expect(try Self.meanDifference(image.bitmap, decoded) < 3)
    }
}
