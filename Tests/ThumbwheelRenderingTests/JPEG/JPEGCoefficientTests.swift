import FixtureKit
import Foundation
import ReferenceJPEG
import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("JPEG coefficients against libjpeg's")
struct JPEGCoefficientTests {
    typealias Scan = LibJPEGEncoder.Scan

    private static func picture(_ width: Int, _ height: Int, channels: Int = 3) -> Raster {
        let raster = Raster(Scene(seed: 12, subject: .landscape, noise: 6), width: width, height: height)
        return channels == 1 ? raster.grey : raster
    }

    /// What differs from libjpeg's coefficients at a scale; nil where nothing does.
    static func difference(_ bytes: [UInt8], eighths: Int, mergesScans: Bool = false) throws -> String? {
        guard let reference = LibJPEG(coefficientsOf: bytes) else { return "libjpeg refuses it" }
        guard let ours = try DecodedCoefficients(bytes, eighths: eighths, mergesScans: mergesScans) else {
            return "not covered"
        }
        for (index, (plane, theirs)) in zip(ours.planes, reference.components).enumerated() {
            guard plane.columns == Int(theirs.columns), plane.rows == Int(theirs.rows) else {
                return "\(plane.columns)x\(plane.rows) blocks of component \(index)"
            }
            for row in 0..<plane.rows {
                for column in 0..<plane.columns {
                    let block = plane.block(column: column, row: row)
                    for place in 0..<block.count {
                        let natural = place / plane.scale * 8 + place % plane.scale
                        let value = Int(block[block.startIndex + place])
                        let wanted = theirs.coefficient(column: column, row: row, index: natural)
                        if value != wanted {
                            return "component \(index), block \(column), \(row), \(natural): \(value), not \(wanted)"
                        }
                    }
                }
            }
        }
        return nil
    }

    @Test("every legal sampling, progressive and not, at every scale")
    func samplings() throws {
        var generator = SeededGenerator(seed: 5)
        let factors = (1...4).flatMap { horizontal in (1...4).map { (horizontal, $0) } }
        for luma in factors {
            for chroma in factors where luma.0 * luma.1 + chroma.0 * chroma.1 + 1 <= 10 {
                let scans = generator.index(below: 2) == 0 ? [] : LibJPEGEncoder.progression(3)
                let encoder = LibJPEGEncoder(sampling: [luma, chroma, (1, 1)], scans: scans)
                // libjpeg subsamples by whole ratios only.
                guard luma.0 % chroma.0 == 0 || chroma.0 % luma.0 == 0,
                    luma.1 % chroma.1 == 0 || chroma.1 % luma.1 == 0,
                    let bytes = try? encoder.encode(
                        Self.picture(30 + generator.index(below: 60), 30 + generator.index(below: 60)))
                else { continue }
                let eighths = 1 + generator.index(below: 8)
                let difference = try Self.difference(bytes, eighths: eighths)
                #expect(difference == nil, "\(luma) \(chroma) at \(eighths)/8, \(scans.count) scans")
            }
        }
    }

    private static let scripts: [(name: String, scans: [Scan])] = [
        ("one component a scan", (0..<3).map { Scan(components: [$0]) }),
        ("luma apart", [Scan(components: [0]), Scan(components: [1, 2])]),
        ("libjpeg's progression", LibJPEGEncoder.progression(3)),
        ("spectral selection alone", spectralSelection),
        ("DC apart, many bits", (0..<3).flatMap(manyBits)),
        ("refinements over bands of several scans", wideRefinements),
    ]

    private static let spectralSelection: [Scan] = {
        var scans = [Scan(components: [0, 1, 2], band: 0...0)]
        for part in 0..<3 {
            for band in [1...2, 3...9, 10...63] { scans.append(Scan(components: [part], band: band)) }
        }
        return scans
    }()

    private static func manyBits(_ part: Int) -> [Scan] {
        var scans = [Scan(components: [part], band: 0...0, low: 2)]
        for low in [1, 0] { scans.append(Scan(components: [part], band: 0...0, high: low + 1, low: low)) }
        scans.append(Scan(components: [part], band: 1...63, low: 3))
        for low in [2, 1, 0] { scans.append(Scan(components: [part], band: 1...63, high: low + 1, low: low)) }
        return scans
    }

    private static let wideRefinements: [Scan] = {
        var scans = [Scan(components: [0, 1, 2], band: 0...0)]
        for part in 0..<3 {
            for band in [1...1, 2...30, 31...63] { scans.append(Scan(components: [part], band: band, low: 1)) }
            scans.append(Scan(components: [part], band: 1...63, high: 1, low: 0))
        }
        return scans
    }()

    @Test("scans of all kinds, at every scale", arguments: 1...8)
    func scans(eighths: Int) throws {
        for (name, scans) in Self.scripts {
            for restartUnits in [0, 5] {
                for (width, height) in [(67, 45), (8, 8), (1, 33)] {
                    let bytes = try LibJPEGEncoder(restartUnits: restartUnits, hasManyTables: true, scans: scans)
                        .encode(Self.picture(width, height))
                    let difference = try Self.difference(bytes, eighths: eighths)
                    #expect(difference == nil, "\(name), \(width)x\(height), restarts \(restartUnits)")
                }
            }
        }
    }

    @Test("grey, and qualities from coarse to fine", arguments: [1, 3, 8])
    func qualities(eighths: Int) throws {
        for quality in [5, 40, 75, 98, 100] {
            for channels in [1, 3] {
                let sampling = [(2, 1), (1, 1), (1, 1)].prefix(channels)
                for scans in [[], LibJPEGEncoder.progression(channels)] {
                    let bytes = try LibJPEGEncoder(
                        sampling: Array(sampling), quality: quality, isOptimized: quality > 50, scans: scans
                    ).encode(Self.picture(121, 87, channels: channels))
                    #expect(try Self.difference(bytes, eighths: eighths) == nil, "quality \(quality)")
                }
            }
        }
    }

    @Test("a single scan read as one of several is the same", arguments: [1, 2, 8])
    func merged(eighths: Int) throws {
        let bytes = try LibJPEGEncoder(restartUnits: 7).encode(Self.picture(99, 70))
        #expect(try Self.difference(bytes, eighths: eighths, mergesScans: true) == nil)
    }

    @Test("a run of 16 zeros that goes beyond the last place ends its block, as in libjpeg", arguments: 1...8)
    func runsBeyondTheEnd(eighths: Int) throws {
        let standard = try #require(HuffmanCode.standard(isAC: true, slot: 0)).definition
        for definition in [standard, HandmadeJPEG.longRuns] {
            let bytes = HandmadeJPEG.runsBeyondTheEnd(seed: 9, definition: definition)
            #expect(LibJPEG(coefficientsOf: bytes)?.warningCount == 0)
            for mergesScans in [false, true] {
                #expect(try Self.difference(bytes, eighths: eighths, mergesScans: mergesScans) == nil)
            }
        }
    }

    @Test("fill bytes, bytes behind the image and missing tables change nothing")
    func oddities() throws {
        for scans in [[], LibJPEGEncoder.progression(3), (0..<3).map { Scan(components: [$0]) }] {
            let bytes = try LibJPEGEncoder(restartUnits: 9, scans: scans).encode(Self.picture(80, 64))
            var filled: [UInt8] = []
            for (index, byte) in bytes.enumerated() {
                // Fill bytes may stand before any marker.
                let isMarker = byte == 0xFF && index + 1 < bytes.count && bytes[index + 1] >= 0xC0
                if isMarker, index > 1 { filled += [0xFF, 0xFF] }
                filled.append(byte)
            }
            filled += [0, 1, 2, 0xFF, 0xDA, 0, 7]
            for eighths in [1, 4, 8] {
                #expect(try Self.difference(filled, eighths: eighths) == nil, "\(scans.count) scans")
            }
        }
        let bytes = try LibJPEGEncoder().encode(Self.picture(80, 64))
        #expect(try Self.difference(Self.withoutHuffmanTables(bytes), eighths: 8) == nil)
    }

    private static func withoutHuffmanTables(_ bytes: [UInt8]) -> [UInt8] {
        var result = Array(bytes[..<2])
        var place = 2
        while bytes[place + 1] != 0xDA {
            let end = place + 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            if bytes[place + 1] != 0xC4 { result += bytes[place..<end] }
            place = end
        }
        return result + bytes[place...]
    }

    @Test("files of Fixtures and of the folders beside the checkout", arguments: JPEGCorpus.folders)
    func corpus(folder: String) throws {
        var compared = 0
        for (index, path) in JPEGCorpus.paths(in: folder).enumerated() {
            let bytes = try FileByteSource(path: path).bytes()
            guard let reference = LibJPEG(coefficientsOf: bytes), reference.warningCount == 0,
                let decode = try? JPEGDecode(
                    MemoryByteSource(bytes), eighths: 1,
                    guardian: DecodeGuard(cancellation: nil, duration: .seconds(3600)))
            else { continue }
            // All scales of small files; of large ones each its own.
            let isSmall = decode.header.frame.size.pixelCount < 1 << 18
            for eighths in isSmall ? Array(1...8) : [1 + index % 8] {
                #expect(try Self.difference(bytes, eighths: eighths) == nil, "\(path) at \(eighths)/8")
            }
            compared += 1
        }
        #expect(compared > 0)
        print("compared the coefficients of \(compared) files of \(folder)")
    }
}

/// The JPEG files that lie in `Fixtures` and beside the checkout.
enum JPEGCorpus {
    private static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Those that are there: the others are absent from machines that have no collection of photographs.
    static let folders = ["Fixtures/library", "../shared/photos", "../shared/formats"].filter { !paths(in: $0).isEmpty }

    static func paths(in folder: String) -> [String] {
        let url = checkout.appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.sorted().map { url.appendingPathComponent($0).path }.filter { path in
            guard let source = try? FileByteSource(path: path), let start = try? source.bytes(in: 0..<3) else {
                return false
            }
            return start == [0xFF, 0xD8, 0xFF]
        }
    }
}
