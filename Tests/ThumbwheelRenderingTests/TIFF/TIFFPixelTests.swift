import Foundation
import Testing
import ThumbwheelCore

@testable import FixtureKit
@testable import ThumbwheelRendering

/// Pictures in many layouts, beside libtiff's decode of the same files.
@Suite("TIFF pixels") struct TIFFPixelTests {
    private static func expectSame(_ file: [UInt8], within tolerance: Int = 0, _ comment: String) throws {
        let own = try #require(try DecodedRows.own(file), "\(comment) is left to libvips")
        let theirs = try DecodedRows.libtiff(file)
        #expect(own.error == nil && theirs.error == nil, "\(comment)")
        let difference = own.difference(to: theirs)
        #expect(difference != nil && difference! <= tolerance, "\(comment): \(difference ?? -1)")
    }

    @Test("samples of all widths, in strips and tiles of both byte orders", arguments: [false, true])
    func layouts(isBigEndian: Bool) throws {
        for (photometric, samples, bits, extra) in [
            (2, 3, 8, []), (2, 4, 8, [2]), (2, 4, 8, [1]), (2, 5, 8, [2, 0]), (2, 3, 16, []), (2, 4, 16, [2]),
            (1, 1, 8, []), (0, 1, 8, []), (1, 1, 16, []), (0, 2, 8, [2]), (1, 1, 1, []), (0, 1, 1, []), (1, 1, 4, []),
        ] as [(Int, Int, Int, [Int])] {
            for tile in [nil, (16, 16), (32, 16)] as [(Int, Int)?] {
                for compression in [1, 32_773] {
                    for isBigTIFF in [false, true] {
                        var file = TIFFFile(width: 53, height: 37)
                        (file.photometric, file.samplesPerPixel, file.bits) = (photometric, samples, bits)
                        (file.extraSamples, file.compression) = (extra, compression)
                        (file.isBigEndian, file.isBigTIFF) = (isBigEndian, isBigTIFF)
                        file.tile = tile.map { (width: $0.0, height: $0.1) }
                        if bits == 16 { file.sample = { y, x, index in y * 3001 &+ x * 711 &+ index * 8311 } }
                        try Self.expectSame(
                            file.encoded(), within: extra == [1] ? 1 : 0,
                            "\(photometric) \(samples)x\(bits) \(extra) \(tile as Any) \(compression) big \(isBigTIFF)")
                    }
                }
            }
        }
    }

    @Test("differences of pixels are summed", arguments: [false, true])
    func predictor(isBigEndian: Bool) throws {
        for (photometric, samples, extra) in [(2, 3, []), (2, 4, [2]), (1, 1, []), (1, 2, [2]), (2, 6, [0, 0, 0])]
            as [(Int, Int, [Int])]
        {
            for bits in [8, 16] {
                for tile in [nil, (16, 32)] as [(Int, Int)?] {
                    // One row, one group of four, and some more.
                    for rows in [1, 4, 7, 23] {
                        var file = TIFFFile(width: 29, height: 23)
                        (file.photometric, file.samplesPerPixel, file.bits) = (photometric, samples, bits)
                        (file.extraSamples, file.predictor, file.isBigEndian) = (extra, 2, isBigEndian)
                        (file.rowsPerStrip, file.compression) = (rows, 5)
                        file.tile = tile.map { (width: $0.0, height: $0.1) }
                        file.sample = { y, x, index in y &* 7919 ^ x &* 104_729 ^ index &* 1_299_709 }
                        try Self.expectSame(file.encoded(), "\(samples)x\(bits) rows \(rows) \(tile as Any)")
                        // The field has no meaning for other compressions.
                        file.compression = 32_773
                        try Self.expectSame(file.encoded(), "PackBits \(samples)x\(bits)")
                    }
                }
            }
        }
    }

    @Test("palettes of 2 to 256 colours")
    func palettes() throws {
        for bits in [1, 2, 4, 8] {
            for isBigEndian in [false, true] {
                var file = TIFFFile(width: 21, height: 18, photometric: 3, samplesPerPixel: 1, bits: bits)
                file.isBigEndian = isBigEndian
                file.colorMap = (0..<3 << bits).map { ($0 &* 40_503) & 0xFFFF }
                try Self.expectSame(file.encoded(), "\(bits) bits")
            }
        }
    }

    @Test("what libtiff's encoders write", arguments: ["none", "packbits", "lzw", "deflate"])
    func encoders(compression: String) throws {
        let raster = Raster(Scene(seed: 3, subject: .stillLife), width: 301, height: 203)
        let words = raster.bytes.map { UInt16($0) * 257 ^ 0x35 }
        for layout in ["", ",tile,tile_width=64,tile_height=48"] {
            for predictor in compression == "lzw" || compression == "deflate" ? ["none", "horizontal"] : ["none"] {
                let encoder = VipsEncoder(
                    suffix: ".tif", options: "compression=\(compression),predictor=\(predictor)" + layout)
                try Self.expectSame(encoder.encode(raster), encoder.options)
                try Self.expectSame(encoder.encode(raster.grey), encoder.options + " grey")
                try Self.expectSame(
                    encoder.encode(.words(width: raster.width, height: raster.height, words)),
                    encoder.options + " 16 bits")
            }
        }
    }

    @Test(
        "JPEG in strips and tiles, with shared tables, as pixels and as planes",
        arguments: ["", ",tile,tile_width=64,tile_height=64"], [true, false])
    func jpeg(layout: String, asPixels: Bool) throws {
        let raster = Raster(Scene(seed: 4, subject: .stillLife), width: 301, height: 203)
        for quality in [60, 95] {
            let encoder = VipsEncoder(suffix: ".tif", options: "compression=jpeg,Q=\(quality)" + layout)
            for file in [try encoder.encode(raster), try encoder.encode(raster.grey)] {
                let own = try #require(try DecodedRows.own(file, asPixels: asPixels))
                let theirs = try DecodedRows.libtiff(file)
                let difference = zip(own.colored.samples, theirs.colored.samples)
                    .reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(own.size == theirs.size)
                // libtiff asks libjpeg for the faster transform and upsampling.
                #expect(Double(difference) < 1.5 * Double(own.colored.samples.count), "Q=\(quality)\(layout)")
            }
        }
    }

    @Test("every TIFF of ../shared that libtiff reads is the same, or left to it")
    func files() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var count = 0
        for folder in ["Fixtures/library", "../shared/formats", "../shared/hostile"] {
            let path = root.appending(path: folder).standardizedFileURL.path
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
            where name.hasSuffix(".tif") || name.hasSuffix(".tiff") {
                guard let source = try? FileByteSource(path: path + "/" + name), source.byteCount < 20 << 20,
                    let bytes = try? source.bytes(), let theirs = try? DecodedRows.libtiff(bytes), theirs.error == nil,
                    let own = try DecodedRows.own(bytes)
                else { continue }
                #expect(own.error == nil, "\(name)")
                let difference = own.difference(to: theirs)
                #expect(difference != nil && difference! <= 1, "\(name): \(difference ?? -1)")
                count += 1
            }
        }
        if count == 0 { print("no TIFFs were compared: Fixtures and ../shared have none") }
    }
}
