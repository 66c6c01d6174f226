import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("WebP by planes")
struct WebPPlaneTests {
    private static var guardian: DecodeGuard { DecodeGuard(cancellation: nil, duration: .seconds(3600)) }

    private static func file(_ width: Int, _ height: Int) throws -> [UInt8] {
        try Pictures.scene(width, height).encoded(as: .webp(quality: 80))
    }

    private static func planes(
        _ bytes: [UInt8], reduction: Int = 1, isFiltered: Bool = true, limits: RenderLimits = RenderLimits()
    ) throws -> WebPRows {
        let source = MemoryByteSource(bytes)
        return try WebPRows(
            source, WebPContainer(source), WebPRows.Options(reduction: reduction, isFiltered: isFiltered),
            keepsProfile: false, limits: limits, guardian: guardian)
    }

    /// The pixels as libwebp itself makes them of its planes.
    private static func pixels(_ bytes: [UInt8]) throws -> DecodedRows {
        let source = MemoryByteSource(bytes)
        return DecodedRows(
            try WebPDecode(
                source, WebPContainer(source), eighths: 8, keepsProfile: false, limits: RenderLimits(),
                guardian: guardian))
    }

    private static func meanDifference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return .infinity }
        return Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
    }

    @Test("pixels of the planes are libwebp's, of odd sizes too")
    func pixels() throws {
        for (width, height) in [(331, 223), (64, 48), (17, 2), (2, 17), (1, 1), (5, 3)] {
            let bytes = try Self.file(width, height)
            let rows = DecodedRows(try Self.planes(bytes))
            #expect(rows.error == nil && rows.count == height)
            let difference = Self.meanDifference(rows.samples, try Self.pixels(bytes).samples)
            #expect(difference <= 1.5, "\(width)×\(height): \(difference)")
        }
    }

    @Test("a reduced decode has the means of blocks, the incomplete ones at its edges too", arguments: [2, 4, 6, 8])
    func reduced(reduction: Int) throws {
        for (width, height) in [(331, 223), (96, 64), (125, 131)] {
            let bytes = try Self.file(width, height)
            let whole = try Self.pixels(bytes)
            let rows = DecodedRows(try Self.planes(bytes, reduction: reduction))
            #expect(
                rows.size
                    == PixelSize(
                        width: (width + reduction - 1) / reduction, height: (height + reduction - 1) / reduction))
            var means: [UInt8] = []
            for y in stride(from: 0, to: height, by: reduction) {
                for x in stride(from: 0, to: width, by: reduction) {
                    for channel in 0..<3 {
                        var (sum, count) = (0, 0)
                        for row in y..<min(y + reduction, height) {
                            for column in x..<min(x + reduction, width) {
                                sum += Int(whole.samples[(row * width + column) * 3 + channel])
                                count += 1
                            }
                        }
                        means.append(UInt8((sum + count / 2) / count))
                    }
                }
            }
            let difference = Self.meanDifference(rows.samples, means)
            #expect(difference <= 1.5, "\(width)×\(height): \(difference)")
        }
    }

    @Test("any part of the rows is that part of the picture")
    func parts() throws {
        let bytes = try Self.file(90, 131)
        for reduction in [1, 4] {
            let whole = DecodedRows(try Self.planes(bytes, reduction: reduction))
            let pitch = whole.size.width * 3
            for rows in [0..<1, 7..<9, 20..<33, whole.size.height - 1..<whole.size.height] {
                let part = DecodedRows(try Self.planes(bytes, reduction: reduction), rows: rows)
                #expect(part.error == nil && part.count == rows.count)
                #expect(part.samples == Array(whole.samples[rows.lowerBound * pitch..<rows.upperBound * pitch]))
            }
        }
    }

    @Test(
        "images are those of the same pixels in a PNG: crops, orientations, reductions",
        arguments: RenderQuality.allCases)
    func images(quality: RenderQuality) throws {
        let bytes = try Self.file(643, 421)
        let rows = try Self.pixels(bytes)
        let png = try Pictures.bitmap(643, 421) { x, y, channel in Int(rows.samples[(y * 643 + x) * 3 + channel]) }
            .encoded(as: .png)
        let crops = [nil, NormalizedRect(x: 0.31, y: 0.22, width: 0.5, height: 0.61)]
        for orientation in [ImageOrientation.up, .right, .downMirrored] {
            for (side, crop) in [(40, crops[0]), (40, crops[1]), (97, crops[0]), (97, crops[1]), (200, crops[1])] {
                var options = RenderOptions(targetSize: PixelSize(width: side, height: side + 7), quality: quality)
                options.normalizedCropRect = crop
                let images = try [bytes, png].map { bytes in
                    var head = try ImageHead(reading: MemoryByteSource(bytes))
                    head.orientation = orientation
                    return try Renderer().render(MemoryByteSource(bytes), head: head, options: options)
                }
                let difference = Self.meanDifference(
                    Pictures.samples(images[0].bitmap), Pictures.samples(images[1].bitmap))
                // A fast image may be made of half as many samples each way.
                #expect(difference <= (quality == .high ? 1.5 : 3), "\(orientation), \(side): \(difference)")
            }
        }
    }

    @Test("a file cut anywhere gives the rows there are, on neutral grey")
    func cutShort() throws {
        let bytes = try Pictures.noise(160, 200, seed: 9).encoded(as: .webp(quality: 70))
        // Metadata may follow.
        let end = try #require(try WebPContainer(MemoryByteSource(bytes)).chunks.last).upperBound
        for reduction in [1, 4] {
            let whole = DecodedRows(try Self.planes(bytes, reduction: reduction))
            let pitch = whole.size.width * 3
            for cut in stride(from: 300, to: end - 20, by: 97) {
                guard let decode = try? Self.planes(Array(bytes[..<cut]), reduction: reduction) else { continue }
                let rows = DecodedRows(decode)
                guard case .truncated(let fraction) = rows.error else {
                    Issue.record("cut at \(cut): \(String(describing: rows.error))")
                    continue
                }
                // The last row may have to do with chroma that is missing.
                let made = max(0, Int(fraction * Double(whole.size.height)) - 1)
                #expect(rows.samples.prefix(made * pitch) == whole.samples.prefix(made * pitch), "cut at \(cut)")
                #expect(rows.samples.suffix(pitch).allSatisfy { $0 == 128 }, "cut at \(cut)")
                #expect(rows.samples.count == whole.samples.count, "cut at \(cut)")
            }
        }
    }

    @Test("any bytes that are wrong end as rows or as a typed error", arguments: [UInt64(1), 2])
    func damage(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let bytes = try Self.file(120, 90)
        for _ in 0..<150 {
            var wrong = bytes
            for _ in 0..<1 + random.next() % 4 {
                wrong[20 + Int(random.next() % UInt64(bytes.count - 20))] = UInt8(random.next() & 255)
            }
            guard let container = try? WebPContainer(MemoryByteSource(wrong)), container.isPlainLossy,
                let decode = try? Self.planes(wrong, reduction: 4, limits: RenderLimits(pixelCount: 1 << 20))
            else { continue }
            let rows = DecodedRows(decode)
            #expect(rows.error != nil || rows.count == rows.size.height, "seed \(seed)")
        }
    }

    @Test("planes beyond the limit of memory are refused, and decodes at a scale that is delivered are as ever")
    func limits() throws {
        let bytes = try Self.file(100, 80)
        #expect(throws: RenderError.limitExceeded(limit: .memory)) {
            try Self.planes(bytes, limits: RenderLimits(memoryByteCount: 11_999))
        }
        var options = RenderOptions(targetSize: PixelSize(width: 50, height: 40))
        options.resizeMode = .fast
        let image = try Renderer().render(MemoryByteSource(bytes), options: options)
        #expect(image.bitmap.size == PixelSize(width: 50, height: 40) && image.eighths == 4)
    }
}
