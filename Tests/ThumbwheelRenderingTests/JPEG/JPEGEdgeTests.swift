import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("The right and lower edges of JPEGs whose last blocks reach beyond the image")
struct JPEGEdgeTests {
    /// Each decode has its own time, however many there are.
    private static var guardian: DecodeGuard { DecodeGuard(cancellation: nil, duration: .seconds(3600)) }

    /// The samples that an encoder leaves outside the image.
    enum Padding: CaseIterable {
        case black, white, noise, repeated
    }

    struct Kind: CustomTestStringConvertible, Sendable {
        var sampling: [(horizontal: Int, vertical: Int)]
        var isProgressive = false
        var testDescription: String { "\(sampling)\(isProgressive ? ", progressive" : "")" }

        static let all: [Kind] = [
            [(1, 1)], [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)],
        ]
        .flatMap { [Kind(sampling: $0), Kind(sampling: $0, isProgressive: true)] }
    }

    /// A file whose samples outside `size` differ from those that libjpeg would write: it is coded with whole units and
    /// then declared smaller.
    static func file(
        _ size: PixelSize, _ kind: Kind, padding: Padding, restartUnits: Int = 0, scans: [LibJPEGEncoder.Scan]? = nil
    ) throws -> [UInt8] {
        let channels = kind.sampling.count
        let unit = PixelSize(width: 8 * kind.sampling[0].horizontal, height: 8 * kind.sampling[0].vertical)
        let width = (size.width + unit.width - 1) / unit.width * unit.width
        let height = (size.height + unit.height - 1) / unit.height * unit.height
        let scene = Raster(Scene(seed: 17, subject: .seaside, noise: 2), width: width, height: height)
        var samples = channels == 1 ? scene.grey.bytes : lumaAndChroma(scene.bytes)
        var random = SeededGenerator(seed: 3)
        // A chroma sample that crosses the image's edge still belongs to the picture.
        let (across, down) = kind.sampling[0]
        let pictureWidth = (size.width + across - 1) / across * across
        let pictureHeight = (size.height + down - 1) / down * down
        for y in 0..<height {
            for x in 0..<width where x >= size.width || y >= size.height {
                for channel in 0..<channels {
                    let place = (y * width + x) * channels + channel
                    let inside = (min(y, size.height - 1) * width + min(x, size.width - 1)) * channels + channel
                    let isPicture = x < pictureWidth && y < pictureHeight
                    switch isPicture ? Padding.repeated : padding {
                    case .black: samples[place] = channel == 0 ? 0 : 128
                    case .white: samples[place] = channel == 0 ? 255 : 128
                    case .noise: samples[place] = UInt8(random.index(below: 256))
                    case .repeated: samples[place] = samples[inside]
                    }
                }
            }
        }
        let encoder = LibJPEGEncoder(sampling: kind.sampling, quality: 93, restartUnits: restartUnits)
        var bytes = try encoder.encode(Raster(width: width, height: height, channels: channels, bytes: samples))
        let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        for (place, side) in [(frame + 5, size.height), (frame + 7, size.width)] {
            (bytes[place], bytes[place + 1]) = (UInt8(side >> 8), UInt8(side & 255))
        }
        guard let scans = scans ?? (kind.isProgressive ? LibJPEGEncoder.progression(channels) : nil) else {
            return bytes
        }
        return try LibJPEGEncoder(restartUnits: restartUnits, scans: scans).transcode(bytes)
    }

    /// Converts red, green and blue to luma and chroma (JFIF 1.02), because the encoder takes samples as they are.
    private static func lumaAndChroma(_ pixels: [UInt8]) -> [UInt8] {
        var samples = pixels
        for place in stride(from: 0, to: pixels.count, by: 3) {
            let (red, green, blue) = (Double(pixels[place]), Double(pixels[place + 1]), Double(pixels[place + 2]))
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue
            samples[place] = UInt8(max(0, min(255, luma.rounded())))
            samples[place + 1] = UInt8(max(0, min(255, (128 + (blue - luma) * 0.564).rounded())))
            samples[place + 2] = UInt8(max(0, min(255, (128 + (red - luma) * 0.713).rounded())))
        }
        return samples
    }

    /// A rendering of the whole image at a scale, resampled to `output`.
    private static func made(
        _ bytes: [UInt8], _ size: PixelSize, to output: PixelSize, eighths: Int, hasCoarseChroma: Bool = false,
        ofPixels: Bool, readsRefinements: Bool = true
    ) throws -> Bitmap {
        let decode = try #require(
            try JPEGDecode(
                MemoryByteSource(bytes), eighths: eighths, hasCoarseChroma: hasCoarseChroma, guardian: guardian))
        decode.readsRefinements = readsRefinements
        let scale = Double(eighths) / 8
        let end = (x: Double(size.width) * scale, y: Double(size.height) * scale)
        let plan = ResamplingPlan(
            decodedSize: decode.size, channels: decode.scales.planes.count,
            box: SourceBox(x: 0, y: 0, width: end.x, height: end.y), outputSize: output, isLinear: false, end: end)
        return Bitmap(size: output, format: .rgb) { pixels in
            let store = OrientedStore(pixels, storedSize: output, format: .rgb, orientation: .up)
            if ofPixels {
                let rows = JPEGRows(decode)
                let consumer = plan.makeConsumer(storingInto: store)
                #expect(rows.forEachRow(in: consumer.neededRows) { consumer.consume($0) }.error == nil)
            } else {
                let consumers = JPEGRows(decode).makeConsumers(for: [plan], storingInto: [store])
                #expect(decode.forEachRow(to: consumers[0]).error == nil)
            }
        }
    }

    /// The mean differences between two bitmaps in their last two rows and columns.
    private static func differences(_ one: Bitmap, _ other: Bitmap) -> [Double] {
        let (ours, full) = (Pictures.samples(one), Pictures.samples(other))
        func mean(_ places: [Int]) -> Double {
            places.reduce(0.0) { $0 + Double(abs(Int(ours[$1]) - Int(full[$1]))) } / Double(places.count)
        }
        let (output, pitch) = (one.size, one.size.width * 3)
        return (1...2).flatMap { line in
            [
                mean((0..<pitch).map { (output.height - line) * pitch + $0 }),
                mean((0..<output.height).flatMap { y in (0..<3).map { y * pitch + (output.width - line) * 3 + $0 } }),
            ]
        }
    }

    /// Holds the last rows and columns of thumbnails at all scales to those of a full decode.
    ///
    /// - Parameters:
    ///   - remainder: 1 to 16; says how far the image reaches into its last units.
    ///   - readsRefinements: false for fast decodes.
    ///   - limit: the largest mean difference at a scale in eighths.
    private func checkThumbnails(
        of kind: Kind, remainder: Int, scans: [LibJPEGEncoder.Scan]? = nil, readsRefinements: Bool = true,
        limit: (Int) -> Double
    ) throws {
        let size = PixelSize(width: 208 + remainder, height: 160 + (remainder * 7 + 3) % 16 + 1)
        for padding in Padding.allCases {
            let bytes = try Self.file(size, kind, padding: padding, scans: scans)
            let full = try Self.made(bytes, size, to: size, eighths: 8, ofPixels: true)
            for eighths in 1...7 {
                let ofPixels = (remainder + eighths) % 2 == 0
                let isCoarse = remainder % 3 == 0 && !ofPixels
                let output = PixelSize(
                    width: max(1, size.width * eighths / 16), height: max(1, size.height * eighths / 16))
                let ours = try Self.made(
                    bytes, size, to: output, eighths: eighths, hasCoarseChroma: isCoarse, ofPixels: ofPixels,
                    readsRefinements: readsRefinements)
                let whole = SourceBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
                let expected = try full.resampled(whole, to: output, options: RenderOptions(targetSize: output))
                let differences = Self.differences(ours, expected)
                #expect(
                    differences.max()! <= limit(eighths),
                    "\(size), \(padding) at \(eighths)/8, coarse \(isCoarse), pixels \(ofPixels): \(differences)")
            }
        }
    }

    @Test("the last rows and columns of thumbnails show only samples of the image", arguments: Kind.all)
    func thumbnails(kind: Kind) throws {
        for remainder in 1...16 {
            // At an eighth the mean of a block is all that is left of it, where the full decode keeps some of its detail.
            try checkThumbnails(of: kind, remainder: remainder) { $0 == 1 ? 2.5 : 2 }
        }
    }

    @Test(
        "fast thumbnails of progressive files show hardly more of the padding",
        arguments: Kind.all.filter(\.isProgressive))
    func fastThumbnails(kind: Kind) throws {
        let scans = LibJPEGEncoder.simpleProgression(kind.sampling.count)
        for remainder in 1...16 {
            try checkThumbnails(of: kind, remainder: remainder, scans: scans, readsRefinements: false) { _ in 3 }
        }
    }

    @Test("damage to refinements that a fast decode reads for edges takes nothing from the picture")
    func damageToRefinements() throws {
        let size = PixelSize(width: 299, height: 171)
        let kind = Kind(sampling: [(2, 2), (1, 1), (1, 1)])
        let bytes = try Self.file(size, kind, padding: .noise, scans: LibJPEGEncoder.simpleProgression(3))
        let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        // Of the ten scans, the last three refine chroma and then luma. The cut is within the first of chroma's.
        let cut = Array(bytes[..<(starts[starts.count - 3] + 40)])
        #expect(starts.count == 10)
        for eighths in 2...7 {
            let fast = try Self.planes(cut, eighths: eighths) { $0.readsRefinements = false }
            #expect(fast.end.error == nil, "\(eighths)/8")
            #expect(try Self.planes(cut, eighths: eighths).end.error != nil, "\(eighths)/8")
        }
    }

    @Test("damage to a scan that a fast decode reads for edges alone takes nothing from the picture")
    func damageBesideThePicture() throws {
        let size = PixelSize(width: 299, height: 171)
        let scans = [0...0, 1...63].map { LibJPEGEncoder.Scan(components: [0], band: $0) }
        let bytes = try Self.file(size, Kind(sampling: [(1, 1)]), padding: .black, scans: scans)
        let cut = Array(bytes[..<(bytes.count * 3 / 4)])
        for eighths in 1...2 {
            for readsRefinements in [false, true] {
                let planes = try Self.planes(cut, eighths: eighths) { $0.readsRefinements = readsRefinements }
                let isWhole = eighths == 1 && !readsRefinements
                #expect((planes.end.error == nil) == isWhole)
            }
        }
    }

    /// The planes of a file, decoded as `prepare` sets it up.
    private static func planes(
        _ bytes: [UInt8], eighths: Int, _ prepare: (JPEGDecode) -> Void = { _ in }
    ) throws -> DecodedPlanes {
        let decode = try #require(try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: guardian))
        prepare(decode)
        return DecodedPlanes(decode)
    }

    /// Does the work before `start` returns.
    private struct Prompt: RenderAssistants {
        func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
            work { false }
            return true
        }
    }

    @Test("edges are the same in parts, with helpers, with restarts and in several scans", arguments: 1...8)
    func everyWay(eighths: Int) throws {
        for (sampling, size) in [
            ([(2, 2), (1, 1), (1, 1)], PixelSize(width: 299, height: 171)),
            ([(1, 1)], PixelSize(width: 301, height: 154)),
            ([(2, 1), (1, 1), (1, 1)], PixelSize(width: 160, height: 330)),
        ] {
            let kind = Kind(sampling: sampling)
            let bytes = try Self.file(size, kind, padding: .noise)
            let alone = try Self.planes(bytes, eighths: eighths) { $0.splitting = .none }
            #expect(alone.end.error == nil)
            for restartUnits in [0, 5, 13] {
                let bytes = try Self.file(size, kind, padding: .noise, restartUnits: restartUnits)
                for share in stride(from: 0.03, to: 1, by: 0.06) {
                    let parts = try Self.planes(bytes, eighths: eighths) {
                        $0.splitting = SingleScanReader.Splitting(minimumByteCount: 64) { left in
                            min(left.upperBound - 1, left.lowerBound + Int(Double(left.count) * share))
                        }
                    }
                    let arePartsSame = parts.samples == alone.samples
                    #expect(arePartsSame, "\(size), restarts \(restartUnits), parts at \(share)")
                    let shared = try Self.planes(bytes, eighths: eighths) {
                        $0.sharing = SingleScanReader.Sharing(assistants: Prompt(), minimumByteCount: 0) { bytes in
                            bytes.lowerBound + Int(Double(bytes.count) * share)
                        }
                    }
                    let isSharedSame = shared.samples == alone.samples
                    #expect(isSharedSame, "\(size), restarts \(restartUnits), help from \(share)")
                }
            }
            let count = sampling.count
            for scans in [LibJPEGEncoder.progression(count), (0..<count).map { LibJPEGEncoder.Scan(components: [$0]) }]
            where count > 1 {
                for restartUnits in [0, 7] {
                    let several = try Self.file(size, kind, padding: .noise, restartUnits: restartUnits, scans: scans)
                    let isSame = try Self.planes(several, eighths: eighths).samples == alone.samples
                    #expect(isSame, "\(size), \(scans.count) scans, restarts \(restartUnits)")
                }
            }
        }
    }

    @Test("a crop that ends at an edge has the same samples there", arguments: [1, 3, 6])
    func crops(eighths: Int) throws {
        let size = PixelSize(width: 299, height: 171)
        for isProgressive in [false, true] {
            let kind = Kind(sampling: [(2, 2), (1, 1), (1, 1)], isProgressive: isProgressive)
            let bytes = try Self.file(size, kind, padding: .black)
            let whole = JPEGRows(
                try #require(try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: Self.guardian)))
            let pitch = whole.size.width * 3
            var all: [UInt8] = []
            _ = whole.forEachRow(in: 0..<whole.size.height) {
                all.append(contentsOf: UnsafeBufferPointer(start: $0, count: pitch))
            }
            let part = JPEGRows(
                try #require(try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: Self.guardian)))
            let rows = part.size.height / 2..<part.size.height
            var some: [UInt8] = []
            _ = part.forEachRow(in: rows) { some.append(contentsOf: UnsafeBufferPointer(start: $0, count: pitch)) }
            let isSame = some == Array(all[(rows.lowerBound * pitch)...])
            #expect(isSame)
        }
    }

    @Test("a hash made in passing ignores samples outside the image")
    func hashes() throws {
        for size in [PixelSize(width: 403, height: 260), PixelSize(width: 258, height: 401)] {
            for kind in Kind.all where kind.sampling.count == 3 {
                let colours = try [Padding.black, .white, .repeated].map { padding -> [UInt8] in
                    let source = MemoryByteSource(try Self.file(size, kind, padding: padding))
                    let image = try Renderer().render(
                        source, options: RenderOptions(targetSize: PixelSize(width: 64, height: 64)),
                        makesThumbHash: true)
                    return Pictures.samples(Bitmap(try #require(image.thumbHash)))
                }
                for other in colours.dropLast() {
                    let sum = zip(other, colours[2]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                    #expect(Double(sum) / Double(other.count) < 1, "\(size), \(kind.testDescription)")
                }
            }
        }
    }
}
