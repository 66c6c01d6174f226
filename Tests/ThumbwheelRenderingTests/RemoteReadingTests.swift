import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import FixtureKit
@testable import ThumbwheelRendering

@Suite("Ranges of files elsewhere")
struct RemoteReadingTests {
    private static let raster = Raster(Scene(seed: 6, subject: .stillLife), width: 1000, height: 700)

    /// A picture that no encoder makes small.
    private static let noise: Raster = {
        var random = SplitMix(state: 20)
        return Raster(
            width: 1000, height: 700, channels: 3,
            bytes: raster.bytes.map { $0 / 2 &+ UInt8(truncatingIfNeeded: random.next() % 128) })
    }()

    /// A larger one, for files that are always read from their beginning.
    private static let largeNoise: Raster = {
        var bytes: [UInt8] = []
        for y in 0..<1400 {
            let row = noise.bytes[y % 700 * 3000..<(y % 700 + 1) * 3000]
            bytes += row + row
        }
        return Raster(width: 2000, height: 1400, channels: 3, bytes: bytes)
    }()

    private static let files: [String: Result<[UInt8], any Error>] = [
        "progressive 4:2:0": Result { try JPEGEncoder(quality: 90, isProgressive: true).encode(largeNoise) },
        "progressive 4:4:4": Result {
            try JPEGEncoder(quality: 90, subsampling: .yuv444, isProgressive: true).encode(largeNoise)
        },
        "TIFF, tiles": Result {
            try VipsEncoder(suffix: ".tif", options: "compression=none,tile,tile_width=64,tile_height=64").encode(noise)
        },
        "TIFF, pyramid": Result {
            try VipsEncoder(suffix: ".tif", options: "compression=deflate,tile,tile_width=64,tile_height=64,pyramid")
                .encode(noise)
        },
        "TIFF, strips": Result { try VipsEncoder(suffix: ".tif", options: "compression=lzw").encode(noise) },
        "HEIC": Result {
            var picture = TiledPicture()
            picture.options = "Q=90"
            return try picture.file(noise)
        },
        "AVIF": Result {
            var picture = TiledPicture()
            (picture.codec, picture.options) = ("av1", "Q=80,effort=1")
            return try picture.file(noise)
        },
    ]

    private static let crops: [NormalizedRect?] = [
        nil, NormalizedRect(x: 0, y: 0, width: 0.1, height: 0.1),
        NormalizedRect(x: 0.53, y: 0.58, width: 0.02, height: 0.03),
        NormalizedRect(x: 0.8, y: 0.9, width: 0.2, height: 0.1),
    ]

    @Test("what is brought is enough for the very same image", arguments: files.keys.sorted())
    func equal(name: String) throws {
        let bytes = try #require(Self.files[name]).get()
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        var least = 1.0
        for crop in Self.crops {
            for quality in [RenderQuality.fast, .high] {
                for side in [20, 60, 300] {
                    let options = RenderOptions(
                        targetSize: PixelSize(width: side, height: side), resizeMode: .exact, quality: quality,
                        normalizedCropRect: crop)
                    let source = CountingByteSource(bytes)
                    let gatherer = RangeGatherer(source, byteLimit: bytes.count)
                    guard try RemoteReading.gather(head, options: options, limits: RenderLimits(), from: gatherer)
                    else {
                        Issue.record("\(name) as a whole")
                        continue
                    }
                    let gathered = gatherer.gathered
                    let image = try Renderer().render(gathered, head: head, options: options)
                    #expect(!gathered.isLacking, "\(name) \(side) \(quality) \(String(describing: crop))")
                    let whole = try Renderer().render(MemoryByteSource(bytes), head: head, options: options)
                    #expect(Pictures.samples(image.bitmap) == Pictures.samples(whole.bitmap))
                    #expect(gatherer.gatheredByteCount == source.ranges.reduce(0) { $0 + $1.count }, "no byte twice")
                    least = min(least, Double(gatherer.gatheredByteCount) / Double(bytes.count))
                }
            }
        }
        print(name, "least part", least, "of", bytes.count)
        #expect(least < 0.9)
    }

    @Test("files that are short, or of formats that need all of it, are not read by ranges")
    func whole() throws {
        let options = RenderOptions(targetSize: PixelSize(width: 60, height: 60))
        func isByRanges(_ bytes: [UInt8], byteCount: Int? = nil) throws -> Bool {
            RemoteReading.isByRanges(
                try ImageHead(reading: MemoryByteSource(bytes)), options: options,
                byteCount: byteCount ?? bytes.count)
        }
        let progressive = try #require(Self.files["progressive 4:2:0"]).get()
        #expect(try isByRanges(progressive))
        #expect(try !isByRanges(progressive, byteCount: 200_000))
        #expect(try !isByRanges(JPEGEncoder(quality: 90).encode(Self.noise)))
        #expect(try !isByRanges(VipsEncoder(suffix: ".png", options: "").encode(Self.noise)))
    }

    @Test("a file that is not as its head told is an error or read as a whole, and never traps")
    func damaged() throws {
        for (name, file) in Self.files {
            let bytes = try file.get()
            let head = try ImageHead(reading: MemoryByteSource(bytes))
            let options = RenderOptions(targetSize: PixelSize(width: 60, height: 60))
            var random = SplitMix(state: 4)
            for _ in 0..<20 {
                var damaged = bytes
                for _ in 0..<200 {
                    damaged[Int(random.next() % UInt64(min(4096, bytes.count)))] = UInt8(
                        truncatingIfNeeded: random.next())
                }
                for contents in [damaged, Array(damaged.prefix(bytes.count / 2)), []] {
                    let gatherer = RangeGatherer(MemoryByteSource(contents), byteLimit: bytes.count)
                    do throws(RenderError) {
                        guard
                            try RemoteReading.gather(head, options: options, limits: RenderLimits(), from: gatherer)
                        else { continue }
                        _ = try Renderer().render(gatherer.gathered, head: head, options: options)
                    } catch .cancelled {
                        Issue.record("\(name) was cancelled")
                    } catch {}
                    #expect(gatherer.gatheredByteCount <= bytes.count)
                }
            }
        }
    }
}
