import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("JPEGs of several scans, whole and damaged")
struct JPEGScanTests {
    typealias Scan = LibJPEGEncoder.Scan

    private static var guardian: DecodeGuard { DecodeGuard(cancellation: nil, duration: .seconds(3600)) }
    private let target = RenderOptions(targetSize: PixelSize(width: 40, height: 30))

    private static func picture(_ width: Int = 160, _ height: Int = 120) -> Raster {
        Raster(Scene(seed: 21, subject: .landscape, noise: 4), width: width, height: height)
    }

    private static func progressive(_ width: Int = 160, _ height: Int = 120, restartUnits: Int = 0) throws -> [UInt8] {
        try LibJPEGEncoder(restartUnits: restartUnits, scans: LibJPEGEncoder.progression(3))
            .encode(picture(width, height))
    }

    private static func planes(_ bytes: [UInt8], eighths: Int) throws -> DecodedPlanes {
        DecodedPlanes(try #require(try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: guardian)))
    }

    private static func list(_ bytes: [UInt8], eighths: Int) throws -> JPEGScanList {
        let decode = try #require(try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: guardian))
        return try JPEGScanList(decode.input, header: decode.header, scales: decode.scales, guardian: guardian)
    }

    /// Where the scans' headers begin.
    private static func headers(_ bytes: [UInt8]) -> [Int] {
        bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    }

    @Test("1/8 needs the scans of DC coefficients only")
    func neededScans() throws {
        let encoder = LibJPEGEncoder(
            sampling: [(1, 1), (1, 1), (1, 1)], scans: LibJPEGEncoder.progression(3))
        let bytes = try encoder.encode(Self.picture())
        let eighth = try Self.list(bytes, eighths: 1)
        #expect(eighth.entries.map(\.scan.spectralEnd) == [0, 0])
        #expect(eighth.damage == nil)
        // The band from 6 on has nothing of a 2×2 corner, but says which of its coefficients the refinements correct.
        #expect(try Self.list(bytes, eighths: 2).entries.count == LibJPEGEncoder.progression(3).count)
        let unrefined =
            [Scan(components: [0, 1, 2], band: 0...0)]
            + (0..<3).flatMap { part in [1...5, 6...63].map { Scan(components: [part], band: $0) } }
        let plain = try LibJPEGEncoder(sampling: [(1, 1), (1, 1), (1, 1)], scans: unrefined).encode(Self.picture())
        #expect(try Self.list(plain, eighths: 2).entries.map(\.scan.spectralEnd) == [0, 5, 5, 5])
    }

    @Test("what comes behind the last scan that is needed may be missing")
    func cutBehindNeed() throws {
        let bytes = try Self.progressive()
        let whole = try Self.planes(bytes, eighths: 1)
        // Behind the refinement of the DC coefficients come three more scans; subsampled chroma is needed at 2/8.
        let unsubsampled = try LibJPEGEncoder(
            sampling: [(1, 1), (1, 1), (1, 1)], scans: LibJPEGEncoder.progression(3)
        ).encode(Self.picture())
        let cut = Array(unsubsampled[..<Self.headers(unsubsampled)[11]])
        let ours = try Self.planes(cut, eighths: 1)
        #expect(ours.end.error == nil)
        #expect(ours.samples == (try Self.planes(unsubsampled, eighths: 1)).samples)
        #expect(whole.end.error == nil)
    }

    @Test("a file cut anywhere is an error at high quality, and what there is of it at fast")
    func truncation() throws {
        for bytes in [try Self.progressive(), try Self.progressive(restartUnits: 4)] {
            let headers = Self.headers(bytes)
            let whole = try Renderer().render(MemoryByteSource(bytes), options: target)
            for end in stride(from: headers[0] + 20, to: bytes.count - 40, by: 97) {
                let cut = MemoryByteSource(Array(bytes[..<end]))
                #expect(throws: RenderError.self, "cut at \(end)") { try Renderer().render(cut, options: target) }
                var fast = target
                fast.quality = .fast
                guard end > headers[1] else { continue }
                let image = try Renderer().render(cut, options: fast)
                #expect(image.bitmap.size == whole.bitmap.size)
            }
        }
    }

    @Test("the more scans there are, the nearer a cut file comes to the whole one")
    func partialScans() throws {
        let bytes = try Self.progressive()
        let whole = try Self.planes(bytes, eighths: 8)
        var last = Double.infinity
        for end in Self.headers(bytes).dropFirst() + [bytes.count] {
            let ours = try Self.planes(Array(bytes[..<end]), eighths: 8)
            let sum = zip(ours.samples[0], whole.samples[0]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(ours.end.decodedFraction == 1)
            #expect((ours.end.error == nil) == (end == bytes.count))
            #expect(Double(sum) <= last)
            last = Double(sum)
        }
        #expect(last == 0)
    }

    @Test("cut and changed bytes end as planes and typed errors")
    func damage() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        print("damaged JPEGs of several scans from seed \(seed)")
        let scripts = [
            LibJPEGEncoder.progression(3), (0..<3).map { Scan(components: [$0]) },
            [Scan(components: [1]), Scan(components: [0, 2])],
        ]
        for scans in scripts {
            for restartUnits in [0, 3] {
                let bytes = try LibJPEGEncoder(restartUnits: restartUnits, scans: scans).encode(Self.picture(97, 61))
                for trial in 0..<400 {
                    var damaged = bytes
                    if trial % 8 == 0 { damaged.removeLast(generator.index(below: bytes.count)) }
                    for _ in 0...generator.index(below: 3) where trial % 16 != 0 && !damaged.isEmpty {
                        damaged[generator.index(below: damaged.count)] = UInt8(truncatingIfNeeded: generator.next())
                    }
                    let eighths = 1 + generator.index(below: 8)
                    guard
                        let decode = try? JPEGDecode(
                            MemoryByteSource(damaged), eighths: eighths, guardian: Self.guardian),
                        decode.size.pixelCount < 1 << 20
                    else { continue }
                    let planes = DecodedPlanes(decode)
                    #expect(planes.end.decodedFraction <= 1)
                }
            }
        }
    }

    @Test("more scans than a picture has are refused, unread")
    func bomb() throws {
        let bytes = try Self.progressive()
        let headers = Self.headers(bytes)
        // A scan of the last coefficient without any data, again and again.
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, bytes[headers[1] + 5], 0x11, 63, 63, 0x10, 0x00]
        let many = bytes[..<headers[1]] + Array(repeating: scan, count: 50_000).flatMap(\.self) + [0xFF, 0xD9]
        let source = CountingByteSource(Array(many))
        let decode = try #require(try JPEGDecode(source, eighths: 8, guardian: Self.guardian))
        let end = DecodedPlanes(decode).end
        #expect(end.error?.code == "malformed" && end.decodedFraction == 0)
        #expect(source.readCount <= 2)
    }

    @Test("impossible bands, a second frame and components without a scan are errors")
    func contradictions() throws {
        let bytes = try Self.progressive()
        let headers = Self.headers(bytes)
        var band = bytes
        // Band 1 to 64.
        band[headers[1] + 8] = 64
        var bits = bytes
        bits[headers.last! + 9] = 0x31
        var frame = Array(bytes[..<headers[1]])
        let start = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
        frame += bytes[start..<headers[0]] + bytes[headers[1]...]
        let apart = try LibJPEGEncoder(scans: (0..<3).map { Scan(components: [$0]) }).encode(Self.picture())
        let lacking = Array(apart[..<Self.headers(apart)[2]]) + [0xFF, 0xD9]
        for bytes in [band, bits, frame, lacking] {
            #expect(try Self.planes(bytes, eighths: 8).end.error?.code == "malformed")
        }
    }

    @Test("cancelling stops the scans, and nothing more is read")
    func cancelling() throws {
        let bytes = try LibJPEGEncoder(quality: 98, scans: LibJPEGEncoder.progression(3))
            .encode(Self.picture(900, 700))
        for read in [1, 4, 9] {
            let token = CancellationToken()
            let source = CountingByteSource(bytes, cancelling: token, atRead: read)
            let guardian = DecodeGuard(cancellation: token, duration: .seconds(3600))
            let decode = try #require(try JPEGDecode(source, eighths: 8, guardian: guardian))
            #expect(DecodedPlanes(decode).end.error == .cancelled)
            #expect(source.readCountAfterCancelling <= 2)
        }
    }

    @Test("only the rows and columns of a crop are made")
    func crops() throws {
        let bytes = try Self.progressive(320, 240)
        let whole = try Renderer().render(MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum))
        var options = RenderOptions(targetSize: .maximum)
        options.normalizedCropRect = NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.25)
        let part = try Renderer().render(MemoryByteSource(bytes), options: options)
        #expect(part.decoder == .jpeg && part.bitmap.size == PixelSize(width: 80, height: 60))
        let (all, some) = (Pictures.samples(whole.bitmap), Pictures.samples(part.bitmap))
        for row in 0..<60 {
            let start = ((row + 60) * 320 + 160) * 3
            #expect(Array(some[row * 240..<row * 240 + 240]) == Array(all[start..<start + 240]))
        }
    }
}
