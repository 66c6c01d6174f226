import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("The JPEG decoder in Swift")
struct JPEGDecodeTests {
    private static var guardian: DecodeGuard { DecodeGuard(cancellation: nil, duration: .seconds(3600)) }

    /// Samples of a decode, one after another, or nil where the decoder does not cover the file.
    private static func samples(
        _ bytes: [UInt8], eighths: Int, splitting: SingleScanReader.Splitting? = nil
    ) throws -> (samples: [UInt8], size: PixelSize, channels: Int, error: RenderError?)? {
        guard let decode = try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: guardian) else {
            return nil
        }
        if let splitting { decode.splitting = splitting }
        return collect(JPEGRows(decode))
    }

    private static func collect(
        _ decode: any RowDecoder
    ) -> (samples: [UInt8], size: PixelSize, channels: Int, error: RenderError?) {
        var samples: [UInt8] = []
        let count = decode.size.width * decode.channels
        let (_, error) = decode.forEachRow(in: 0..<decode.size.height) {
            samples.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
        return (samples, decode.size, decode.channels, error)
    }

    /// The same by libjpeg, through libvips.
    private static func reference(_ bytes: [UInt8], eighths: Int) throws -> [UInt8] {
        let decode = try VipsDecode(
            MemoryByteSource(bytes), loader: .jpeg, eighths: eighths, tolerance: .none, convertsProfile: false,
            guardian: guardian)
        return collect(decode).samples
    }

    private static func picture(_ width: Int, _ height: Int, isGrey: Bool = false) -> Raster {
        let raster = Raster(Scene(seed: 11, subject: .landscape, noise: 3), width: width, height: height)
        return isGrey ? raster.grey : raster
    }

    @Test("1/1 is libjpeg's within 2 levels where no chroma is subsampled, at every odd size")
    func fullScale() throws {
        for (width, height) in [(1, 1), (7, 9), (8, 8), (16, 5), (33, 31), (40, 17), (131, 67)] {
            for subsampling in [JPEGEncoder.Subsampling.yuv444, .grey] {
                let bytes = try JPEGEncoder(quality: 92, subsampling: subsampling)
                    .encode(Self.picture(width, height, isGrey: subsampling == .grey))
                let ours = try #require(try Self.samples(bytes, eighths: 8))
                let theirs = try Self.reference(bytes, eighths: 8)
                #expect(ours.error == nil)
                #expect(ours.samples.count == theirs.count)
                // One for the transform, one for the colour.
                let difference = zip(ours.samples, theirs).map { abs(Int($0) - Int($1)) }.max() ?? 0
                #expect(difference <= 2, "\(width)x\(height) \(subsampling)")
            }
        }
    }

    @Test("1/8 is libjpeg's within 2 levels in grey")
    func eighthScale() throws {
        let bytes = try JPEGEncoder(quality: 90, subsampling: .grey).encode(Self.picture(203, 158, isGrey: true))
        let ours = try #require(try Self.samples(bytes, eighths: 1))
        let difference = zip(ours.samples, try Self.reference(bytes, eighths: 1)).map { abs(Int($0) - Int($1)) }
        #expect(ours.size == PixelSize(width: 26, height: 20))
        // libvips drops the last incomplete pixel of a row and column; the sizes here have none dropped or are compared
        // only where they agree.
        if difference.count == ours.samples.count { #expect(difference.max()! <= 2) }
    }

    @Test("every scale of every sampling shows the picture that a full decode shows", arguments: 1...8)
    func scales(eighths: Int) throws {
        for subsampling in JPEGEncoder.Subsampling.allCases {
            let side = 128
            let bytes = try JPEGEncoder(quality: 95, subsampling: subsampling)
                .encode(Self.picture(side, side, isGrey: subsampling == .grey))
            let ours = try #require(try Self.samples(bytes, eighths: eighths))
            #expect(ours.size == PixelSize(width: 16 * eighths, height: 16 * eighths))
            // Means over the same sixteenths of the picture: what no scaling changes by much.
            let full = try #require(try Self.samples(bytes, eighths: 8))
            for (one, other) in zip(
                Self.means(ours.samples, side: 16 * eighths, channels: ours.channels),
                Self.means(full.samples, side: side, channels: full.channels))
            {
                // At 1/8 a sixteenth has 16 pixels, and chroma from across its edge counts.
                #expect(abs(one - other) < (eighths == 1 ? 6 : 4), "\(subsampling) at \(eighths)/8")
            }
        }
    }

    private static func means(_ samples: [UInt8], side: Int, channels: Int) -> [Double] {
        var sums = Array(repeating: 0.0, count: 16 * channels)
        for y in 0..<side {
            for x in 0..<side {
                for channel in 0..<channels {
                    let block = (y * 4 / side) * 4 + x * 4 / side
                    sums[block * channels + channel] += Double(samples[(y * side + x) * channels + channel])
                }
            }
        }
        return sums.map { $0 * 16 / Double(side * side) }
    }

    @Test("a second lane that starts anywhere never changes the result")
    func splitting() throws {
        for variation in [nil, JPEGEncoder.Variation.restartUnits(7), .restartRows(1), .optimizedTables] {
            let bytes = try JPEGEncoder(quality: 88, subsampling: .yuv420, variation: variation)
                .encode(Self.picture(219, 149))
            for eighths in [1, 2, 5, 8] {
                let whole = try #require(
                    try Self.samples(bytes, eighths: eighths, splitting: SingleScanReader.Splitting.none))
                for step in stride(from: 0, through: 1, by: 0.02) {
                    let splitting = SingleScanReader.Splitting(minimumByteCount: 64) { left in
                        min(left.upperBound - 1, left.lowerBound + Int(Double(left.count) * step))
                    }
                    let split = try #require(try Self.samples(bytes, eighths: eighths, splitting: splitting))
                    let isSame = split.samples == whole.samples
                    #expect(isSame, "\(eighths)/8 from \(step)")
                    #expect(split.error == nil)
                }
            }
        }
    }

    @Test("a file cut anywhere is an error at high quality, and grey below the cut at fast")
    func truncation() throws {
        let bytes = try JPEGEncoder(quality: 85, subsampling: .yuv420).encode(Self.picture(160, 120))
        let start = bytes.count / 4
        for end in stride(from: start, to: bytes.count - 40, by: 61) {
            let cut = MemoryByteSource(Array(bytes[..<end]))
            let target = PixelSize(width: 40, height: 30)
            #expect(throws: RenderError.self) {
                try Renderer().render(cut, options: RenderOptions(targetSize: target))
            }
            if let image = try? Renderer().render(cut, options: RenderOptions(targetSize: target, quality: .fast)) {
                #expect(image.isPartial)
            }
        }
    }

    @Test("changed bytes end as images and typed errors")
    func flips() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        print("changed JPEG bytes from seed \(seed)")
        for subsampling in [JPEGEncoder.Subsampling.yuv420, .yuv422, .grey] {
            let bytes = try JPEGEncoder(quality: 80, subsampling: subsampling)
                .encode(Self.picture(97, 61, isGrey: subsampling == .grey))
            for _ in 0..<700 {
                var damaged = bytes
                for _ in 0...generator.index(below: 3) {
                    damaged[generator.index(below: bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
                }
                let eighths = 1 + generator.index(below: 8)
                guard let result = try? Self.samples(damaged, eighths: eighths) else { continue }
                #expect(result.samples.count <= result.size.pixelCount * result.channels)
            }
        }
    }

    @Test(
        "real photographs look as libjpeg decodes them",
        .enabled(if: !SharedPhotos.paths.isEmpty, "../shared/photos is not there"))
    func photographs() throws {
        for path in SharedPhotos.paths.prefix(12) {
            let bytes = try FileByteSource(path: path).bytes()
            guard let ours = try Self.samples(bytes, eighths: 1), ours.error == nil else { continue }
            let theirs = try Self.reference(bytes, eighths: 1)
            guard ours.samples.count == theirs.count else { continue }
            let sum = zip(ours.samples, theirs).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            // Chroma is sampled at other places; the picture is the same.
            #expect(Double(sum) / Double(theirs.count) < 2, "\(path)")
        }
    }
}
