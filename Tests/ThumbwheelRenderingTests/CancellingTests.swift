import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// After a cancel a decoder hands over the rest of a band, and begins no other. What is counted is rows and reads.
@Suite("Cancelled decoders")
struct CancellingTests {
    /// A file for each decoder that can be stopped, of 600 rows.
    enum Kind: String, CaseIterable {
        case baseline, restarts, progressive, arithmetic, png, webp, losslessAlphaWebP, tiff, bmp, packedBMP, gif,
            interlacedGIF

        func bytes() throws -> [UInt8] {
            let raster = Raster(Scene(seed: 5, subject: .seaside, noise: 120), width: 500, height: 600)
            let picture = Pictures.bitmap(500, 600) { x, y, channel in Int(raster.bytes[(y * 500 + x) * 3 + channel]) }
            switch self {
            case .baseline: return try JPEGEncoder(quality: 90, subsampling: .yuv420).encode(raster)
            case .restarts:
                return try JPEGEncoder(quality: 90, subsampling: .yuv420, variation: .restartRows(1)).encode(raster)
            case .progressive:
                return try JPEGEncoder(quality: 90, subsampling: .yuv420, isProgressive: true).encode(raster)
            case .arithmetic:
                return try JPEGEncoder(quality: 90, subsampling: .yuv420, variation: .arithmetic).encode(raster)
            case .png: return try picture.encoded(as: .png)
            case .webp: return try picture.encoded(as: .webp(quality: 85))
            case .losslessAlphaWebP:
                return try Pictures.scene(500, 600, format: .rgba).encoded(as: .webp(quality: 85))
            case .tiff: return Self.tiff(raster)
            case .gif, .interlacedGIF:
                var file = GIFFile(500, 600)
                file.isInterlaced = self == .interlacedGIF
                return file.encoded()
            case .bmp: return BMPTests.file(500, 600, bits: 24, pixels: [UInt8](repeating: 9, count: 600 * 1500))
            case .packedBMP:
                let row: [UInt8] = [250, 3, 250, 4, 0, 0]
                return BMPTests.file(
                    500, 600, bits: 8, compression: 1, colors: 16, middle: [UInt8](repeating: 7, count: 64),
                    pixels: (0..<600).flatMap { _ in row } + [0, 1])
            }
        }

        /// Rows that may still come: what one step of the decoder makes. A sequential JPEG's is a run of coefficients, a
        /// BMP's what one read brings.
        var bandHeight: Int {
            switch self {
            case .baseline, .restarts, .bmp: 64
            default: 16
            }
        }

        /// Uncompressed, in strips of 16 rows.
        private static func tiff(_ raster: Raster) -> [UInt8] {
            func little(_ value: Int, _ count: Int) -> [UInt8] { BMPTests.little(value, count) }
            let strip = 16 * raster.width * 3
            let count = (raster.height + 15) / 16
            let lists = 8 + 2 + 12 * 9 + 4
            let pixels = lists + 8 * count + 6
            let entries: [(Int, Int, Int, Int)] = [
                (0x100, 4, 1, raster.width), (0x101, 4, 1, raster.height), (0x102, 3, 3, lists + 8 * count),
                (0x103, 3, 1, 1), (0x106, 3, 1, 2), (0x111, 4, count, lists), (0x115, 3, 1, 3), (0x116, 4, 1, 16),
                (0x117, 4, count, lists + 4 * count),
            ]
            var file: [UInt8] = [0x49, 0x49, 42, 0] + little(8, 4) + little(entries.count, 2)
            for entry in entries {
                file += little(entry.0, 2) + little(entry.1, 2) + little(entry.2, 4) + little(entry.3, 4)
            }
            file += little(0, 4)
            for index in 0..<count { file += little(pixels + index * strip, 4) }
            for index in 0..<count { file += little(min(strip, raster.bytes.count - index * strip), 4) }
            return file + [8, 0, 8, 0, 8, 0] + raster.bytes
        }
    }

    private static func decoder(
        of source: any ByteSource, _ head: ImageHead, token: CancellationToken
    ) throws -> any RowDecoder {
        let chosen = try #require(head.chosenDecoder)
        let decode = try chosen.codec.open(
            DecoderInput(
                bytes: source, head: head, decoder: chosen.decoder, eighths: 8, reduction: 1,
                minimumScale: 1, region: SourceBox(x: 0, y: 0, width: 1, height: 1), tolerance: .none, quality: .high,
                allowsCoarseChroma: false, conversion: ColorConversion(head), limits: RenderLimits(),
                guardian: DecodeGuard(cancellation: token, duration: .seconds(3600))))
        return try #require(decode)
    }

    @Test("no more than the rest of a band comes after the cancel", arguments: Kind.allCases)
    func rows(_ kind: Kind) throws {
        let bytes = try kind.bytes()
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        for cancelled in [0, 1, 100, 333, 590] {
            let token = CancellationToken()
            let decode = try Self.decoder(of: MemoryByteSource(bytes), head, token: token)
            var count = 0
            var late = 0
            let (_, error) = decode.forEachRow(in: 0..<decode.size.height) { _ in
                if count == cancelled { token.cancel() }
                if count > cancelled { late += 1 }
                count += 1
            }
            // What was cancelled in its last band may end well.
            #expect(error == .cancelled || count == decode.size.height && cancelled > 560)
            #expect(late < kind.bandHeight, "after row \(cancelled)")
        }
    }

    /// A decoder that is cancelled after its first row.
    private final class InterruptedDecoder: RowDecoder {
        let size = PixelSize(width: 100, height: 100)
        var storedSize: PixelSize { size }
        let channels = 3
        let eighths = 8
        let sideRounding = FloatingPointRoundingRule.up
        let reachedEnd = false
        let profile: [UInt8]? = nil
        let name = RenderedImage.Decoder.png
        let failure: RenderError

        init(_ failure: RenderError) { self.failure = failure }

        func forEachRow(
            in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
        ) -> (count: Int, error: RenderError?) {
            [UInt8](repeating: 9, count: 300).withUnsafeBufferPointer { body($0.baseAddress!) }
            return (1, failure)
        }
    }

    @Test("no image is finished after a cancel or a deadline, at fast quality either")
    func unfinished() throws {
        let head = ImageHead(contentType: .png, storedSize: PixelSize(width: 100, height: 100))
        let chosen = try #require(head.chosenDecoder)
        let options = RenderOptions(targetSize: PixelSize(width: 20, height: 20), quality: .fast)
        let job = try RenderJob(
            MemoryByteSource([]), head: head, options: [options], limits: RenderLimits(),
            guardian: DecodeGuard(cancellation: nil, duration: .seconds(3600)), makesThumbHash: false, assistants: nil,
            video: nil, chosen: chosen)
        let failures: [(RenderError, imageCount: Int)] = [
            (.cancelled, 0), (.limitExceeded(limit: .duration), 0), (.truncated(decodedFraction: 0.01), 1),
        ]
        for (failure, imageCount) in failures {
            let attempt = try job.attempt(InterruptedDecoder(failure), tolerance: .none)
            #expect(attempt.failure == failure && attempt.images.count == imageCount)
        }
    }

    @Test("cancelled while it reads, a rendering reads no more", arguments: Kind.allCases)
    func reads(_ kind: Kind) throws {
        let bytes = try kind.bytes()
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        let options = RenderOptions(targetSize: PixelSize(width: 100, height: 100))
        let whole = CountingByteSource(bytes)
        _ = try Renderer().render(whole, head: head, options: options)
        // What is cancelled in its last read may end well.
        for read in stride(from: 1, to: whole.readCount, by: max(1, whole.readCount / 8)) {
            let token = CancellationToken()
            let source = CountingByteSource(bytes, cancelling: token, atRead: read)
            #expect(throws: RenderError.cancelled, "at read \(read) of \(whole.readCount)") {
                try Renderer().render(source, head: head, options: options, cancellation: token)
            }
            #expect(source.readCountAfterCancelling <= 1, "at read \(read) of \(whole.readCount)")
        }
    }
}
