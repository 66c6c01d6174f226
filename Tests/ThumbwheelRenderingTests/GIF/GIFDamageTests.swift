import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Damaged GIFs")
struct GIFDamageTests {
    private static func file(interlaced isInterlaced: Bool = false) -> GIFFile {
        var file = GIFFile(60, 48)
        file.isInterlaced = isInterlaced
        return file
    }

    @Test("a file cut anywhere shows its rows up to there, and says how much that is", arguments: [false, true])
    func cutShort(isInterlaced: Bool) throws {
        let file = Self.file(interlaced: isInterlaced)
        let bytes = file.encoded()
        let whole = DecodedRows(try GIFDecode(bytes))
        for cut in 0..<bytes.count {
            let part = Array(bytes[..<cut])
            guard cut >= file.front.count else {
                #expect(throws: RenderError.truncated(decodedFraction: 0), "cut at \(cut)") { try GIFDecode(part) }
                continue
            }
            let rows = DecodedRows(try GIFDecode(part))
            if rows.error == nil {
                // All codes are there but perhaps the last.
                #expect(rows.samples == whole.samples && cut > bytes.count - 8, "cut at \(cut)")
                continue
            }
            guard case .truncated(let fraction) = rows.error else {
                Issue.record("cut at \(cut): \(String(describing: rows.error))")
                continue
            }
            let share = Double(cut - file.front.count) / Double(bytes.count - file.front.count)
            #expect(abs(fraction - share) < 0.2, "cut at \(cut)")
            if isInterlaced {
                // As soon as there is a row of eight, all rows have one that stands for them.
                #expect(rows.count >= 48 || fraction < 0.13, "cut at \(cut)")
            } else {
                #expect(rows.count == Int(fraction * 48 + 1e-9), "cut at \(cut)")
                #expect(rows.samples == Array(whole.samples.prefix(rows.count * 180)), "cut at \(cut)")
            }
        }
    }

    @Test("where an interlaced picture ends too soon, the row above stands for one that is missing")
    func coarseRows() throws {
        let file = Self.file(interlaced: true)
        let bytes = file.encoded()
        let whole = DecodedRows(try GIFDecode(bytes))
        let rows = DecodedRows(try GIFDecode(Array(bytes[..<(bytes.count * 2 / 3)])))
        #expect(rows.count == 48)
        // The first three passes are half of the picture.
        for row in 0..<48 {
            let isMade = rows.samples[row * 180..<row * 180 + 180] == whole.samples[row * 180..<row * 180 + 180]
            let above = row & ~1
            #expect(
                isMade || rows.samples[row * 180..<row * 180 + 180] == whole.samples[above * 180..<above * 180 + 180])
            #expect(isMade || row % 2 == 1)
        }
    }

    @Test("what is missing where the file itself ends the picture is clear, and no damage", arguments: [true, false])
    func endedEarly(hasEndCode: Bool) throws {
        var file = Self.file()
        let whole = DecodedRows(try GIFDecode(file.encoded()))
        for lost in [1, 59, 60, 100] {
            file.indices.removeLast(lost - (60 * 48 - file.indices.count))
            file.hasEndCode = hasEndCode
            let rows = DecodedRows(try GIFDecode(file.encoded()))
            #expect(rows.error == nil && rows.count == 48, "\(lost) pixels lost")
            let made = whole.samples.count - 3 * lost
            #expect(
                rows.samples == whole.samples[..<made] + [UInt8](repeating: 0, count: 3 * lost), "\(lost) pixels lost")
            // libvips loses the last string of codes without an end.
            if hasEndCode { try GIFPixelTests.expectSame(file.encoded(), "\(lost) pixels lost") }
        }
        file.indices = []
        let none = DecodedRows(try GIFDecode(file.encoded()))
        #expect(none.error == .malformed(reason: "a picture without pixels") && none.count == 0)
    }

    @Test("damage ends the picture where it is, and is an error at high quality alone")
    func damage() throws {
        var file = GIFFile(200, 200, bits: 4)
        // Codes have six bits at most, and the highest never has a meaning.
        file.clearingBehind = 40
        var codes = file.codes
        codes.replaceSubrange(3000..<3100, with: [UInt8](repeating: 0xFF, count: 100))
        let bytes = file.front + GIFFile.blocks(codes) + [0x3B]
        var options = RenderOptions(targetSize: PixelSize(width: 50, height: 50))
        #expect(throws: RenderError.malformed(reason: "a code without a meaning")) {
            try Renderer().render(MemoryByteSource(bytes), options: options)
        }
        options.quality = .fast
        #expect(try Renderer().render(MemoryByteSource(bytes), options: options).isPartial)
        // What lies above the damage is whole.
        options.quality = .high
        options.normalizedCropRect = NormalizedRect(x: 0, y: 0, width: 1, height: 0.1)
        #expect(try !Renderer().render(MemoryByteSource(bytes), options: options).isPartial)
    }

    @Test("any bytes that are wrong end as rows or as a typed error", arguments: [UInt64(1), 2])
    func noise(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for isInterlaced in [false, true] {
            var file = Self.file(interlaced: isInterlaced)
            file.picture = (3, 5, 60, 48)
            file.transparentIndex = 9
            let bytes = file.encoded()
            for _ in 0..<400 {
                var wrong = bytes
                for _ in 0..<1 + random.next() % 4 {
                    // Often in the descriptors.
                    let end = random.next() % 2 == 0 ? file.front.count : wrong.count
                    wrong[Int(random.next() % UInt64(end))] = UInt8(random.next() & 255)
                }
                guard let decode = try? GIFDecode(wrong, limits: RenderLimits(pixelCount: 2_000_000)) else { continue }
                let rows = DecodedRows(decode)
                #expect(
                    rows.count <= rows.size.height && (rows.error == nil) == (rows.count == rows.size.height)
                        || isInterlaced, "seed \(seed)")
            }
        }
    }

    @Test("a picture beyond the limits is refused before there is room for it")
    func limits() throws {
        var file = Self.file()
        #expect(throws: RenderError.limitExceeded(limit: .pixels)) {
            try GIFDecode(file.encoded(), limits: RenderLimits(pixelCount: 60 * 48 - 1))
        }
        #expect(throws: RenderError.limitExceeded(limit: .memory)) {
            try GIFDecode(file.encoded(), limits: RenderLimits(memoryByteCount: 60 * 48 - 1))
        }
        // A picture that is larger than its screen.
        file.screen = (1, 1)
        #expect(throws: RenderError.limitExceeded(limit: .pixels)) {
            try GIFDecode(file.encoded(), limits: RenderLimits(pixelCount: 60 * 48 - 1))
        }
        file = Self.file()
        file.bits = 0
        #expect(throws: RenderError.malformed(reason: "indices of 0 bits")) {
            try GIFDecode(file.front + [2, 0, 0, 0, 0x3B])
        }
    }

    @Test("a walk over blocks or codes as long as the file stops at the next read")
    func endless() throws {
        // The code of the first colour is always known.
        let codes = [[UInt8]](repeating: [1, 0], count: 1 << 19).flatMap { $0 }
        var file = Self.file()
        file.picture = (0, 0, 2000, 1000)
        for front in [file.front, file.front.prefix(781) + [0x21, 0xFE]] {
            for read in [3, 12] {
                let token = CancellationToken()
                let source = CountingByteSource(front + codes, cancelling: token, atRead: read)
                let guardian = DecodeGuard(cancellation: token, duration: .seconds(3600))
                #expect(throws: RenderError.cancelled) {
                    let decode = try GIFDecode(
                        source, head: ImageHead(contentType: .gif, storedSize: PixelSize(width: 1, height: 1)),
                        limits: RenderLimits(), guardian: guardian)
                    if let error = DecodedRows(decode).error { throw error }
                }
                #expect(source.readCountAfterCancelling == 0)
            }
        }
    }
}
