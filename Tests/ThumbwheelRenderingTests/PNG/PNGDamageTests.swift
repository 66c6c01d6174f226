import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("PNG: damage and limits")
struct PNGDamageTests {
    /// A file with a chunk of each kind that is read.
    private static func file(_ colorType: Int, isInterlaced: Bool) -> [UInt8] {
        var file = PNGFile(width: 23, height: 19, depth: colorType == 3 ? 4 : 8, colorType: colorType)
        file.isInterlaced = isInterlaced
        file.filter = { $0 % 5 }
        file.dataByteCount = 400
        if colorType == 3 { file.palette = (0..<48).map { UInt8($0 * 5) } }
        if colorType < 4 {
            file.transparency = colorType == 2 ? [0, 1, 0, 2, 0, 3] : colorType == 0 ? [0, 1] : [7, 8]
        }
        var bytes = PNGChunks.inserting(
            "iCCP", PNGChunks.profile(Profiles.rgb(.gamma(1.8), .sRGB)), into: file.encoded())
        bytes = PNGChunks.inserting("gAMA", Profiles.big(55_000, 4), into: bytes)
        return PNGChunks.inserting("cHRM", (0..<8).flatMap { Profiles.big(31_270 + $0, 4) }, into: bytes)
    }

    /// Renders as any quality; what comes is a whole picture or a typed error.
    private static func render(_ bytes: [UInt8], _ whole: PixelSize) -> RenderError? {
        for quality in RenderQuality.allCases {
            var options = RenderOptions(targetSize: .maximum)
            options.quality = quality
            do throws(RenderError) {
                let image = try Renderer().render(
                    MemoryByteSource(bytes), options: options, limits: RenderLimits(pixelCount: 1 << 20))
                if quality == .high { #expect(!image.isPartial) }
            } catch {
                if quality == .high { return error }
            }
        }
        return nil
    }

    @Test(
        "cut anywhere, a file is an error or whole",
        arguments: [(0, false), (2, true), (3, false), (3, true), (6, false)])
    func cuts(_ colorType: Int, isInterlaced: Bool) throws {
        let bytes = Self.file(colorType, isInterlaced: isInterlaced)
        let size = PixelSize(width: 23, height: 19)
        let end = try #require(PNGChunks.places(in: bytes).dropLast().last)
        for length in 0..<bytes.count {
            let error = Self.render(Array(bytes[..<length]), size)
            #expect((error == nil) == (length >= end), "\(length) of \(bytes.count)")
        }
    }

    @Test(
        "changed anywhere, a file is an error or whole",
        arguments: [(0, true), (2, false), (3, false), (4, true), (6, false)])
    func flips(_ colorType: Int, isInterlaced: Bool) throws {
        let bytes = Self.file(colorType, isInterlaced: isInterlaced)
        let size = PixelSize(width: 23, height: 19)
        // Each byte of all that is no pixel, and some of the others.
        let data = try #require(PNGChunks.places(in: bytes).first { bytes[$0 + 4] == 0x49 && bytes[$0 + 5] == 0x44 })
        for place in 8..<bytes.count where place < data + 40 || place % 7 == 0 || place > bytes.count - 30 {
            for change: UInt8 in [1, 0x20, 0x80, 0xFF] {
                var changed = bytes
                changed[place] ^= change
                _ = Self.render(changed, size)
            }
        }
    }

    @Test("pixels that a checksum vouches for are never shown where it is wrong")
    func vouched() throws {
        let bytes = Self.file(2, isInterlaced: false)
        let places = PNGChunks.places(in: bytes)
        for (place, next) in zip(places, places.dropFirst()) where bytes[place + 4] == 0x49 && bytes[place + 5] == 0x44
        {
            for offset in place + 8..<next {
                var changed = bytes
                changed[offset] ^= 0x10
                let error = Self.render(changed, PixelSize(width: 23, height: 19))
                #expect(error?.isDamage == true, "byte \(offset)")
            }
        }
    }

    @Test("an interlaced picture that is damaged is filled for callers that show it, and until the decode is cancelled")
    func filling() throws {
        var file = PNGFile(width: 40, height: 64)
        file.isInterlaced = true
        let bytes = file.encoded()
        let cut = MemoryByteSource(Array(bytes[..<(bytes.count / 2)]))
        func decode(showsDamage: Bool) throws -> DecodedRows {
            DecodedRows(
                try PNGDecode(
                    cut, usesCalibration: true, showsDamage: showsDamage, limits: RenderLimits(),
                    guardian: DecodeGuard(cancellation: nil, duration: .seconds(3600))))
        }
        let (shown, refused) = (try decode(showsDamage: true), try decode(showsDamage: false))
        #expect(shown.count == 64 && refused.count == 0)
        guard case .truncated(let fraction) = refused.error else {
            Issue.record("\(String(describing: refused.error))")
            return
        }
        #expect(fraction > 0.1 && fraction < 0.9 && shown.error == refused.error)
        let token = CancellationToken()
        let guardian = DecodeGuard(cancellation: token, duration: .seconds(3600))
        let canvas = PNGCanvas(size: PixelSize(width: 40, height: 64), bytesPerPixel: 3)
        #expect(canvas.fill(pass: 6, fromRow: 0, above: 64, checking: guardian) == nil)
        token.cancel()
        #expect(canvas.fill(pass: 6, fromRow: 0, above: 64, checking: guardian) == .cancelled)
    }

    @Test("what is too large is refused from its first bytes")
    func large() throws {
        func refusal(_ width: Int, _ height: Int, isInterlaced: Bool = false, _ limits: RenderLimits) -> RenderError? {
            var file = PNGFile(width: width, height: height)
            file.isInterlaced = isInterlaced
            let source = CountingByteSource(
                file.front + PNGChunks.chunk("IDAT", [0x78, 1, 3, 0, 0, 0, 0, 1]) + PNGChunks.chunk("IEND", []))
            do throws(RenderError) {
                _ = try Renderer().render(
                    source, options: RenderOptions(targetSize: PixelSize(width: 64, height: 64)), limits: limits)
                return nil
            } catch {
                #expect(source.readCount <= 4)
                return error
            }
        }
        let boundless = RenderLimits(pixelCount: .max, memoryByteCount: .max)
        for (width, height) in [(Int(Int32.max), 1), (1, Int(Int32.max)), (1_000_001, 1), (1, 1_000_001)] {
            #expect(refusal(width, height, boundless) == .limitExceeded(limit: .pixels))
        }
        #expect(refusal(20_000, 20_000, RenderLimits()) == .limitExceeded(limit: .pixels))
        #expect(refusal(1 << 31, 1, boundless)?.code == "malformed")
        let memory = RenderLimits(memoryByteCount: 10 << 20)
        #expect(refusal(2000, 2000, isInterlaced: true, memory) == .limitExceeded(limit: .memory))
        // Rows need none of it, so that what is refused is the data.
        #expect(refusal(2000, 2000, memory)?.code == "malformed")
    }

    @Test("of a stream that inflates a thousandfold no more is made than the picture has")
    func bomb() throws {
        let zeros = [UInt8](repeating: 0, count: 64 << 20)
        let stream = PNGChunks.compressed(zeros)
        #expect(stream.count < 1 << 20)
        var file = PNGFile(width: 16, height: 16)
        let source = CountingByteSource(file.front + file.data(stream) + PNGChunks.chunk("IEND", []))
        let image = try Renderer().render(source, options: RenderOptions(targetSize: .maximum))
        #expect(Pictures.samples(image.bitmap).allSatisfy { $0 == 0 })
        // A profile is left alone from some megabytes on.
        file.sample = { _, _, _ in 55 }
        let profile = [UInt8]("icc\0\0".utf8) + stream
        let bytes = PNGChunks.inserting("iCCP", profile, into: file.encoded())
        let same = try Renderer().render(MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum))
        #expect(Pictures.samples(same.bitmap).allSatisfy { $0 == 55 })
    }

    @Test("a hundred thousand chunks are passed over, or refused in front of the pixels")
    func chunks() throws {
        let file = PNGFile(width: 8, height: 8)
        let text = PNGChunks.chunk("tEXt", [1])
        let many = Array(repeatElement(text, count: 100_000).joined())
        let data = file.data(PNGChunks.stored(file.scanlines))
        #expect(throws: RenderError.self) { try PNGDecode(file.front + many + data) }
        let empty = Array(repeatElement(PNGChunks.chunk("IDAT", []), count: 100_000).joined())
        #expect(DecodedRows(try PNGDecode(file.front + empty + data)).error == nil)
    }
}
