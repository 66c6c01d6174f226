import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import FixtureKit
@testable import ThumbwheelRendering

@Suite("TIFF damage") struct TIFFDamageTests {
    private static let files: [(name: String, bytes: [UInt8])] = {
        let raster = Raster(Scene(seed: 8, subject: .stillLife), width: 70, height: 50)
        let encoded = ["lzw", "deflate", "packbits", "jpeg"].flatMap { compression in
            ["", ",tile,tile_width=32,tile_height=32"].compactMap { layout in
                try? (
                    compression + layout,
                    VipsEncoder(suffix: ".tif", options: "compression=\(compression)" + layout).encode(raster)
                )
            }
        }
        var palette = TIFFFile(width: 40, height: 30, photometric: 3, samplesPerPixel: 1, bits: 4)
        palette.colorMap = (0..<48).map { $0 * 1300 }
        palette.compression = 32_773
        return encoded + [("own", TIFFFile(width: 40, height: 30).encoded()), ("palette", palette.encoded())]
    }()

    /// Renders at both qualities: a whole picture, a part of one, or a typed error.
    private static func render(_ bytes: [UInt8]) -> RenderError? {
        for quality in RenderQuality.allCases {
            var options = RenderOptions(targetSize: .maximum)
            options.quality = quality
            do throws(RenderError) {
                let image = try Renderer().render(
                    MemoryByteSource(bytes), options: options, limits: RenderLimits(pixelCount: 1 << 18))
                if quality == .high { #expect(!image.isPartial) }
            } catch {
                if quality == .high { return error }
            }
        }
        return nil
    }

    @Test("cut anywhere, a file is an error or whole")
    func cuts() throws {
        #expect(Self.files.count == 10)
        for file in Self.files {
            #expect(Self.render(file.bytes) == nil, "\(file.name)")
            for length in stride(from: 0, to: file.bytes.count, by: max(1, file.bytes.count / 300)) {
                _ = Self.render(Array(file.bytes[..<length]))
            }
        }
    }

    @Test("changed anywhere, a file is an error or shown")
    func flips() throws {
        for file in Self.files {
            for place in stride(from: 4, to: file.bytes.count, by: max(1, file.bytes.count / 300)) {
                for change: UInt8 in [1, 0x20, 0x80, 0xFF] {
                    var changed = file.bytes
                    changed[place] ^= change
                    _ = Self.render(changed)
                }
            }
        }
    }

    @Test("a strip that lies behind the end is missing: an error at high quality, the rows before it at fast")
    func missing() throws {
        var file = TIFFFile(width: 30, height: 40)
        file.rowsPerStrip = 10
        var bytes = file.encoded()
        let directory = Int(bytes[4]) | Int(bytes[5]) << 8
        let entries = (0..<9).map { directory + 2 + 12 * $0 }
        let offsets = try #require(entries.first { bytes[$0] == 0x11 && bytes[$0 + 1] == 1 })
        let list = Int(bytes[offsets + 8]) | Int(bytes[offsets + 9]) << 8
        bytes.replaceSubrange(list + 8..<list + 12, with: [0, 0, 1, 0])
        var options = RenderOptions(targetSize: .maximum)
        #expect(throws: RenderError.truncated(decodedFraction: 0.5)) {
            try Renderer().render(MemoryByteSource(bytes), options: options)
        }
        options.quality = .fast
        #expect(try Renderer().render(MemoryByteSource(bytes), options: options).isPartial)
    }

    @Test("compressed bytes that make no samples can be stopped, however many there are")
    func endlessBytes() throws {
        let token = CancellationToken()
        let guardian = DecodeGuard(cancellation: token, duration: .seconds(3600))
        // PackBits' byte that means nothing, two megabytes of it.
        let source = CountingByteSource([UInt8](repeating: 0x80, count: 2 << 20), cancelling: token, atRead: 3)
        let samples = TIFFPackBits(TIFFBlockInput(source, in: 0..<2 << 20, checking: guardian))
        var room = [UInt8](repeating: 0, count: 16)
        let error = room.withUnsafeMutableBytes { samples.fill($0).error }
        #expect(error == .cancelled)
        #expect(source.readCountAfterCancelling == 0)
    }

    @Test("offsets and tiles beyond all numbers are typed errors")
    func overflows() throws {
        var file = TIFFFile(width: 30, height: 40)
        file.isBigTIFF = true
        file.rowsPerStrip = 40
        let bytes = file.encoded()
        let directory = Int(bytes[8]) | Int(bytes[9]) << 8
        let entries = (0..<9).map { directory + 8 + 20 * $0 }
        let offset = try #require(entries.first { bytes[$0] == 0x11 && bytes[$0 + 1] == 1 })
        // The strip's length, which is not looked at where samples are stored as they are, is 0.
        let length = try #require(entries.first { bytes[$0] == 0x17 && bytes[$0 + 1] == 1 })
        for top: UInt8 in [0x7F, 0xFF] {
            var changed = bytes
            changed.replaceSubrange(offset + 12..<offset + 20, with: [UInt8](repeating: 0xFF, count: 7) + [top])
            changed.replaceSubrange(length + 12..<length + 16, with: [0, 0, 0, 0])
            #expect(Self.render(changed) != nil)
        }
        file.tile = (width: 16, height: 16)
        var tiled = file.encoded()
        let tiledDirectory = Int(tiled[8]) | Int(tiled[9]) << 8
        for entry in (0..<10).map({ tiledDirectory + 8 + 20 * $0 }) where tiled[entry + 1] == 1 {
            guard tiled[entry] == 0x42 || tiled[entry] == 0x43 else { continue }
            // A long instead of a short: 2^31 - 1.
            tiled[entry + 2] = 4
            tiled.replaceSubrange(entry + 12..<entry + 16, with: [0xFF, 0xFF, 0xFF, 0x7F])
        }
        let source = MemoryByteSource(tiled)
        let limits = RenderLimits(memoryByteCount: .max)
        #expect(throws: RenderError.self) {
            try Renderer().render(source, options: RenderOptions(targetSize: .maximum), limits: limits)
        }
    }
}
