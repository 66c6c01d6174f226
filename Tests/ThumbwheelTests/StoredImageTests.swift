import Testing
import ThumbwheelCore
import ThumbwheelRendering

@testable import Thumbwheel
@testable import ThumbwheelPipeline

struct StoredImageTests {
    private static func shared(_ format: Bitmap.PixelFormat, isNoise: Bool, seed: UInt64 = 1) -> SharedImage {
        var random = SeededGenerator(seed: seed)
        let bitmap = Bitmap(size: PixelSize(width: 33, height: 21), format: format) { pixels in
            for index in pixels.indices {
                pixels[index] =
                    isNoise ? UInt8(truncatingIfNeeded: random.next()) : UInt8(truncatingIfNeeded: index / 99)
            }
        }
        var facts = ImageFacts(
            pixelSize: bitmap.size, byteCount: bitmap.byteCount, source: .reduced, eighths: 3, decoder: .jpeg)
        facts.renderMilliseconds = 7
        return SharedImage(PipelineImage(.pixels(bitmap), facts), of: AssetIdentifier(high: 1, low: 2))
    }

    /// Some bytes that are those of a hash.
    private static var someHash: ThumbHash? {
        (5...25).lazy.compactMap { ThumbHash(bytes: [UInt8](repeating: 0x33, count: $0)) }.first
    }

    private static func pixels(_ contents: ImageContents) -> [UInt8] {
        guard case .pixels(let bitmap) = contents else { return [] }
        return bitmap.withUnsafeBytes { Array($0) }
    }

    @Test(
        "pixels of every format come back without loss, with their facts",
        arguments: [
            Bitmap.PixelFormat.rgb, .rgba, .linearRGBA,
        ], [false, true])
    func pixelsComeBack(_ format: Bitmap.PixelFormat, isNoise: Bool) throws {
        let shared = Self.shared(format, isNoise: isNoise)
        let hash = try #require(Self.someHash)
        let bytes = try #require(StoredImage.bytes(of: shared, thumbHash: hash))
        let stored = try #require(StoredImage(bytes) { _, _ in nil })
        #expect(Self.pixels(stored.image.contents) == shared.bitmap.map { $0.withUnsafeBytes { Array($0) } })
        #expect(stored.image.facts.source == .reduced)
        #expect(stored.image.facts.eighths == 3)
        #expect(stored.image.facts.decoder == .jpeg)
        #expect(stored.thumbHash == hash)
    }

    @Test("any bytes are an image or none")
    func anyBytes() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let samples = try [Bitmap.PixelFormat.rgb, .rgba].map {
            try #require(StoredImage.bytes(of: Self.shared($0, isNoise: false), thumbHash: nil))
        }
        for _ in 0..<3_000 {
            var bytes = samples[random.index(below: samples.count)]
            for _ in 0..<1 + random.index(below: 4) {
                bytes[random.index(below: min(bytes.count, 64))] = UInt8(truncatingIfNeeded: random.next())
            }
            if random.index(below: 3) == 0 { bytes.removeLast(random.index(below: bytes.count)) }
            _ = StoredImage(bytes) { _, _ in nil }
        }
    }

    @Test(
        "reasons that lie in a file come back",
        arguments: [
            ImageRequestError.rendering(.unsupportedFormat), .rendering(.truncated(decodedFraction: 0.25)),
            .rendering(.malformed(reason: "two words")), .rendering(.decoderFailed(signal: 11)),
        ])
    func refusals(_ error: ImageRequestError) throws {
        #expect(StoredRefusal.error(try #require(StoredRefusal.bytes(of: error))) == error)
        #expect(StoredRefusal.bytes(of: .overloaded) == nil)
        // SIGKILL says that memory was short, and nothing about the file.
        #expect(StoredRefusal.bytes(of: .rendering(.decoderFailed(signal: 9))) == nil)
        #expect(StoredRefusal.bytes(of: .rendering(.decoderFailed(signal: nil))) == nil)
    }
}
