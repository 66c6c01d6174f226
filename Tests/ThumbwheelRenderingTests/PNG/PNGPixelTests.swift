import Foundation
import Testing
import ThumbwheelCore

@testable import FixtureKit
@testable import ThumbwheelRendering

@Suite("PNG: pixels")
struct PNGPixelTests {
    /// Compares with libpng's pixels, through libvips; grey of 16 bits comes as colours there.
    private static func expectSame(_ file: [UInt8], _ what: @autoclosure () -> String) throws {
        var ours = DecodedRows(try PNGDecode(file))
        let theirs = DecodedRows(try VipsDecode(png: file))
        #expect(ours.error == nil && theirs.error == nil, "\(what())")
        if ours.channels != theirs.channels { ours = ours.colored }
        #expect(ours.size == theirs.size && ours.channels == theirs.channels, "\(what())")
        #expect(ours.samples == theirs.samples, "\(what())")
    }

    private static func file(_ kind: (colorType: Int, depth: Int), _ width: Int, _ height: Int) -> PNGFile {
        var file = PNGFile(width: width, height: height, depth: kind.depth, colorType: kind.colorType)
        if kind.colorType == 3 { file.palette = (0..<3 << kind.depth).map { UInt8(truncatingIfNeeded: $0 * 37) } }
        return file
    }

    @Test("every type and depth is as libpng has it, with each filter, interlaced and not", arguments: 0..<15)
    func kinds(_ number: Int) throws {
        let kind = PNGFile.kinds[number]
        for isInterlaced in [false, true] {
            for filter in 0..<6 {
                var file = Self.file(kind, 37, 29)
                file.isInterlaced = isInterlaced
                file.filter = { filter == 5 ? ($0 * 7 + $0 / 5) % 5 : filter }
                try Self.expectSame(
                    file.encoded(), "type \(kind.colorType), \(kind.depth) bits, \(isInterlaced), filter \(filter)")
            }
        }
    }

    @Test("small pictures are as libpng has them, interlaced and not", arguments: [(2, 8), (6, 16), (3, 2), (0, 1)])
    func small(_ kind: (colorType: Int, depth: Int)) throws {
        for width in 1...9 {
            for height in 1...9 {
                for isInterlaced in [false, true] {
                    var file = Self.file(kind, width, height)
                    file.isInterlaced = isInterlaced
                    file.filter = { 4 - $0 % 5 }
                    try Self.expectSame(file.encoded(), "\(kind), \(width) × \(height), \(isInterlaced)")
                }
            }
        }
    }

    @Test("one colour is transparent, or a palette's first ones are, by all bits of the samples", arguments: 0..<15)
    func transparency(_ number: Int) throws {
        let kind = PNGFile.kinds[number]
        for isInterlaced in [false, true] {
            var file = Self.file(kind, 33, 12)
            file.isInterlaced = isInterlaced
            file.filter = { $0 % 5 }
            switch kind.colorType {
            case 3: file.transparency = Array([0, 100, 255, 7].prefix(1 << kind.depth))
            default:
                let mask = 1 << kind.depth - 1
                file.transparency = (0..<min(3, file.channels)).flatMap { channel in
                    Profiles.big(file.sample(5, 3, channel) & mask, 2)
                }
                // A difference in the lower byte is one; alpha takes no such chunk.
                let plain = file.sample
                file.sample = { x, y, channel in x == 20 ? plain(5, 3, channel) ^ (y & 1) : plain(x, y, channel) }
            }
            try Self.expectSame(file.encoded(), "type \(kind.colorType), \(kind.depth) bits, \(isInterlaced)")
        }
    }

    @Test("a palette may be shorter than its indices, and longer than its depth")
    func palettes() throws {
        for (depth, colors) in [(4, 3), (8, 200), (2, 30), (1, 1)] {
            var file = Self.file((3, depth), 40, 20)
            file.palette = (0..<3 * colors).map { UInt8(truncatingIfNeeded: 250 - $0) }
            try Self.expectSame(file.encoded(), "\(colors) colours of \(depth) bits")
        }
    }

    @Test("what libpng writes of photographs is what it reads", arguments: ["", ",interlace"])
    func written(_ options: String) throws {
        for size in [(300, 200), (1031, 77)] {
            let raster = Raster(Scene(seed: 4, subject: .seaside, noise: 3), width: size.0, height: size.1)
            for filter in ["none", "sub", "up", "avg", "paeth", "all"] {
                let encoder = VipsEncoder(suffix: ".png", options: "compression=9,filter=\(filter)\(options)")
                for raster in [raster, raster.grey] {
                    try Self.expectSame(try encoder.encode(raster), "\(filter), \(raster.channels) channels")
                }
                let words = raster.bytes.enumerated().map { UInt16($1) << 8 | UInt16($0 & 255) }
                try Self.expectSame(
                    try encoder.encode(.words(width: raster.width, height: raster.height, words)), "\(filter), 16 bits")
            }
        }
    }

    @Test("every PNG of Fixtures and ../shared that libpng reads is the same")
    func files() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        for folder in ["Fixtures/library", "../shared/formats", "../shared/hostile"] {
            let path = root.appending(path: folder).standardizedFileURL.path
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() {
                guard let source = try? FileByteSource(path: path + "/" + name), source.byteCount < 20 << 20,
                    let start = try? source.bytes(in: 0..<8), start == PNGChunks.signature
                else { continue }
                let bytes = try source.bytes()
                guard let theirs = try? VipsDecode(png: bytes), theirs.size.pixelCount < 4_000_000,
                    DecodedRows(theirs).error == nil
                else { continue }
                try Self.expectSame(bytes, name)
            }
        }
    }

    @Test("a part of the rows is that part of the picture, whatever came before")
    func parts() throws {
        for isInterlaced in [false, true] {
            var file = Self.file((2, 8), 50, 90)
            file.isInterlaced = isInterlaced
            file.filter = { 1 + $0 % 4 }
            let whole = DecodedRows(try PNGDecode(file.encoded()))
            for rows in [0..<1, 13..<14, 20..<61, 89..<90] {
                let part = DecodedRows(try PNGDecode(file.encoded()), rows: rows)
                #expect(part.error == nil && part.count == rows.count)
                #expect(part.samples == Array(whole.samples[rows.lowerBound * 150..<rows.upperBound * 150]))
            }
        }
    }
}
