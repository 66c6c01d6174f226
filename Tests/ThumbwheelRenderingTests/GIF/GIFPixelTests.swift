import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Pixels of GIFs")
struct GIFPixelTests {
    /// The pixels beside those of libvips, which leaves the screen around a picture black.
    static func expectSame(_ bytes: [UInt8], _ note: String) throws {
        let ours = DecodedRows(try GIFDecode(bytes))
        let theirs = DecodedRows(try VipsDecode(gif: bytes))
        #expect(ours.size == theirs.size && ours.error == nil && theirs.error == nil, "\(note)")
        guard ours.size == theirs.size, ours.error == nil, theirs.error == nil else { return }
        let step = ours.channels
        var differing = 0
        for pixel in 0..<ours.size.pixelCount where step == 3 || ours.samples[pixel * step + 3] > 0 {
            for channel in 0..<3
            where ours.samples[pixel * step + channel] != theirs.samples[pixel * theirs.channels + channel] {
                differing += 1
            }
        }
        #expect(differing == 0, "\(note)")
        guard step == 4, theirs.channels == 4 else { return }
        for pixel in 0..<ours.size.pixelCount where ours.samples[pixel * 4 + 3] != theirs.samples[pixel * 4 + 3] {
            differing += 1
        }
        #expect(differing == 0, "\(note)")
    }

    @Test("pixels are those of libvips, of all depths, interlaced and not", arguments: [false, true])
    func pixels(isInterlaced: Bool) throws {
        for bits in 2...8 {
            for (width, height) in [(1, 1), (3, 2), (17, 9), (100, 75), (301, 5)] {
                var file = GIFFile(width, height, bits: bits)
                file.isInterlaced = isInterlaced
                let note = "\(bits) bits, \(width)×\(height)"
                try Self.expectSame(file.encoded(), note)
                file.clearingBehind = nil
                try Self.expectSame(file.encoded(blocksOf: 7), "\(note), never cleared")
                file.transparentIndex = 1
                file.ownPalette = GIFFile.palette(bits: bits, 11)
                try Self.expectSame(file.encoded(blocksOf: 1), "\(note), transparent")
            }
        }
    }

    @Test("indices beyond the colours are black, and transparent where others are")
    func beyondPalette() throws {
        var file = GIFFile(40, 30)
        file.palette = GIFFile.palette(bits: 3)
        try Self.expectSame(file.encoded(), "black")
        file.transparentIndex = 2
        try Self.expectSame(file.encoded(), "transparent")
        file.palette = nil
        try Self.expectSame(file.encoded(), "no colours")
    }

    @Test("a picture lies where it belongs, and a screen that is too small for it grows")
    func places() throws {
        let places: [(left: Int, top: Int, width: Int, height: Int)] = [
            (3, 2, 10, 9), (30, 20, 20, 15), (0, 0, 60, 41), (70, 50, 4, 4),
        ]
        for place in places {
            for isInterlaced in [false, true] {
                var file = GIFFile(place.width, place.height)
                file.screen = (40, 30)
                file.picture = (place.left, place.top, place.width, place.height)
                file.isInterlaced = isInterlaced
                let bytes = file.encoded()
                try Self.expectSame(bytes, "\(place)")
                let rows = DecodedRows(try GIFDecode(bytes))
                let covers = place == (0, 0, 60, 41)
                #expect(rows.channels == (covers ? 3 : 4), "\(place)")
                guard !covers else { continue }
                for y in 0..<rows.size.height {
                    for x in 0..<rows.size.width {
                        let isInside =
                            place.left..<place.left + place.width ~= x && place.top..<place.top + place.height ~= y
                        let pixel = (y * rows.size.width + x) * 4
                        if isInside {
                            #expect(rows.samples[pixel + 3] == 255)
                        } else {
                            #expect(rows.samples[pixel..<pixel + 4] == [0, 0, 0, 0])
                        }
                    }
                }
            }
        }
    }

    @Test("a size that the file leaves out is taken from elsewhere")
    func missingSizes() throws {
        var file = GIFFile(20, 10)
        file.screen = (0, 0)
        let picture = try Renderer().render(
            MemoryByteSource(file.encoded()), options: RenderOptions(targetSize: .maximum))
        #expect(picture.bitmap.size == PixelSize(width: 20, height: 10) && picture.decoder == .gif)
        file.screen = (20, 10)
        let whole = DecodedRows(try GIFDecode(file.encoded()))
        file.picture = (0, 0, 0, 0)
        #expect(DecodedRows(try GIFDecode(file.encoded())).samples == whole.samples)
    }

    @Test("through the renderer, a picture smaller than its screen is transparent around it")
    func smallPicture() throws {
        var bytes = RendererTests.decoded(RendererTests.paletteGIF)
        // Makes the screen 4×3 pixels, and puts the picture's 2×2 at (1, 1).
        (bytes[6], bytes[8]) = (4, 3)
        try #require(bytes[25] == 0x2C)
        (bytes[26], bytes[28]) = (1, 1)
        let image = try Renderer().render(
            MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum))
        #expect(image.bitmap.size == PixelSize(width: 4, height: 3) && image.bitmap.format == .rgba)
        let clear = [UInt8](repeating: 0, count: 4)
        #expect(
            Pictures.samples(image.bitmap) == [UInt8](repeating: 0, count: 16)
                + clear + [255, 0, 0, 255, 0, 255, 0, 255] + clear
                + clear + [0, 0, 255, 255, 9, 8, 7, 255] + clear)
    }

    @Test("a part of the rows is that part of the picture")
    func parts() throws {
        for isInterlaced in [false, true] {
            var file = GIFFile(50, 90)
            file.isInterlaced = isInterlaced
            let whole = DecodedRows(try GIFDecode(file.encoded()))
            for rows in [0..<1, 13..<14, 20..<61, 89..<90] {
                let part = DecodedRows(try GIFDecode(file.encoded()), rows: rows)
                #expect(part.error == nil && part.count == rows.count)
                #expect(part.samples == Array(whole.samples[rows.lowerBound * 150..<rows.upperBound * 150]))
            }
        }
    }

    @Test("every GIF of Fixtures and ../shared that libvips reads is the same")
    func files() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        for folder in ["Fixtures/library", "../shared/formats", "../shared/hostile"] {
            let path = root.appending(path: folder).standardizedFileURL.path
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() {
                guard let source = try? FileByteSource(path: path + "/" + name), source.byteCount < 20 << 20,
                    let start = try? source.bytes(in: 0..<4), start == Array("GIF8".utf8)
                else { continue }
                let bytes = try source.bytes()
                // libvips takes no screen by its word that looks like a monitor's.
                guard let theirs = try? VipsDecode(gif: bytes), DecodedRows(theirs).error == nil,
                    theirs.size == (try? GIFDecode(bytes))?.size
                else { continue }
                try Self.expectSame(bytes, name)
            }
        }
    }
}

extension GIFDecode {
    convenience init(
        _ bytes: [UInt8], limits: RenderLimits = RenderLimits(), cancellation: CancellationToken? = nil
    ) throws(RenderError) {
        try self.init(
            MemoryByteSource(bytes), head: ImageHead(contentType: .gif, storedSize: PixelSize(width: 1, height: 1)),
            limits: limits, guardian: DecodeGuard(cancellation: cancellation, duration: .seconds(3600)))
    }
}

extension VipsDecode {
    /// libnsgif's word on a file.
    convenience init(gif bytes: [UInt8]) throws(RenderError) {
        try self.init(
            MemoryByteSource(bytes), loader: VipsLoader(operation: "gifload_source"), eighths: 8, tolerance: .none,
            convertsProfile: false, guardian: DecodeGuard(cancellation: nil, duration: .seconds(3600)))
    }
}
