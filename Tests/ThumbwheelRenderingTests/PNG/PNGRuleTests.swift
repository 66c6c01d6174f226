import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("PNG: checksums, too much and too little")
struct PNGRuleTests {
    enum Ending: Equatable {
        case whole
        case malformed
        case truncated
    }

    static var file: PNGFile { PNGFile(width: 40, height: 30) }
    static let end = PNGChunks.chunk("IEND", [])

    /// The stream, of one block.
    static func stream(rows: Int = 30) -> [UInt8] {
        var data = file.scanlines
        data = Array(data.prefix(rows * 121)) + Array(repeating: 0, count: max(0, rows * 121 - data.count))
        return PNGChunks.compressed(data)
    }

    static func chunk(_ kind: String, _ payload: some Sequence<UInt8>, isIntact: Bool = true) -> [UInt8] {
        PNGChunks.chunk(kind, Array(payload), isIntact: isIntact)
    }

    static func expect(_ ending: Ending, rows: Int? = nil, _ bytes: [UInt8], _ what: String) throws {
        do throws(RenderError) {
            let rendered = DecodedRows(try PNGDecode(bytes))
            if let rows { #expect(rendered.count == rows, "\(what)") }
            let made: Ending =
                switch rendered.error {
                case nil: .whole
                case .truncated: .truncated
                default: .malformed
                }
            #expect(made == ending, "\(what): \(String(describing: rendered.error))")
        } catch {
            #expect(rows == nil && error.code == "\(ending)", "\(what): \(error)")
        }
    }

    @Test("what stands behind the last row")
    func behind() throws {
        let (front, stream, end) = (Self.file.front, Self.stream(), Self.end)
        var wrong = stream
        wrong[wrong.count - 1] ^= 1
        let cases: [(String, Ending, [UInt8])] = [
            ("all of it", .whole, Self.chunk("IDAT", stream) + end),
            ("no end", .whole, Self.chunk("IDAT", stream)),
            ("half an end", .whole, Self.chunk("IDAT", stream) + end.dropLast(3)),
            ("a damaged end", .whole, Self.chunk("IDAT", stream) + Self.chunk("IEND", [], isIntact: false)),
            ("no checksum of the chunk", .truncated, Self.chunk("IDAT", stream).dropLast(4)),
            ("a wrong checksum of the chunk", .malformed, Self.chunk("IDAT", stream, isIntact: false) + end),
            ("a wrong checksum of the stream", .whole, Self.chunk("IDAT", wrong) + end),
            ("no checksum of the stream", .malformed, Self.chunk("IDAT", stream.dropLast(4)) + end),
            ("no checksum, no end", .truncated, Self.chunk("IDAT", stream.dropLast(4))),
            (
                "a chunk for the stream's checksum", .whole,
                Self.chunk("IDAT", stream.dropLast(4)) + Self.chunk("IDAT", stream.suffix(4)) + end
            ),
            (
                "a damaged chunk for it", .malformed,
                Self.chunk("IDAT", stream.dropLast(4)) + Self.chunk("IDAT", stream.suffix(4), isIntact: false) + end
            ),
            ("more rows", .whole, Self.chunk("IDAT", Self.stream(rows: 32)) + end),
            ("bytes behind the stream", .whole, Self.chunk("IDAT", stream + [1, 2, 3]) + end),
            (
                "a damaged chunk behind the stream", .whole,
                Self.chunk("IDAT", stream) + Self.chunk("IDAT", [1, 2, 3], isIntact: false) + end
            ),
            ("a damaged text", .whole, Self.chunk("IDAT", stream) + Self.chunk("tEXt", [9, 9], isIntact: false) + end),
            ("an unknown chunk", .whole, Self.chunk("IDAT", stream) + Self.chunk("ABCD", [9]) + end),
        ]
        for (what, ending, back) in cases { try Self.expect(ending, rows: 30, front + back, what) }
    }

    @Test("what stands between the rows")
    func between() throws {
        let (front, stream, end) = (Self.file.front, Self.stream(), Self.end)
        let (one, two) = (stream.prefix(300), stream.dropFirst(300))
        let cases: [(String, Ending, [UInt8])] = [
            ("two chunks", .whole, Self.chunk("IDAT", one) + Self.chunk("IDAT", two) + end),
            (
                "empty chunks", .whole,
                Self.chunk("IDAT", []) + Self.chunk("IDAT", one) + Self.chunk("IDAT", []) + Self.chunk("IDAT", two)
            ),
            ("bytes one by one", .whole, stream.flatMap { Self.chunk("IDAT", [$0]) } + end),
            (
                "a wrong checksum", .malformed,
                Self.chunk("IDAT", one, isIntact: false) + Self.chunk("IDAT", two) + end
            ),
            (
                "another chunk", .malformed,
                Self.chunk("IDAT", one) + Self.chunk("tEXt", [9, 9]) + Self.chunk("IDAT", two) + end
            ),
            ("an early end", .malformed, Self.chunk("IDAT", one) + end),
            ("the end of the file", .truncated, Self.chunk("IDAT", one)),
            ("a row too few", .malformed, Self.chunk("IDAT", Self.stream(rows: 29)) + end),
            ("no rows at all", .malformed, end),
            ("an unknown essential chunk", .malformed, Self.chunk("ABCD", [9]) + Self.chunk("IDAT", stream) + end),
            ("a second header", .malformed, Self.chunk("IHDR", Self.file.header) + Self.chunk("IDAT", stream) + end),
            ("a damaged text", .whole, Self.chunk("tEXt", [9, 9], isIntact: false) + Self.chunk("IDAT", stream) + end),
            (
                "a damaged palette", .malformed,
                Self.chunk("PLTE", [1, 2, 3], isIntact: false) + Self.chunk("IDAT", stream)
            ),
            ("an odd palette", .whole, Self.chunk("PLTE", [1, 2, 3, 4]) + Self.chunk("IDAT", stream)),
            ("a chunk without a name", .malformed, Self.chunk("12\u{1}4", [9]) + Self.chunk("IDAT", stream) + end),
        ]
        for (what, ending, back) in cases { try Self.expect(ending, front + back, what) }
    }

    @Test("rows before a fault are handed over")
    func rowsBefore() throws {
        var file = Self.file
        file.filter = { $0 == 17 ? 7 : 4 }
        try Self.expect(.malformed, rows: 17, file.encoded(), "a filter type")
        file = Self.file
        file.pack = PNGChunks.stored
        let encoded = file.encoded()
        try Self.expect(.truncated, rows: 10, Array(encoded[..<(file.front.count + 8 + 7 + 10 * 121 + 60)]), "a cut")
        // A header that lies about what its chunk holds.
        var header = file.header
        header[12] = 2
        try Self.expect(
            .malformed, PNGChunks.signature + Self.chunk("IHDR", header) + file.data(Self.stream()), "a method")
    }

    @Test("transparency counts only where it may, and intact")
    func transparency() throws {
        func channels(_ file: PNGFile, _ payload: [UInt8], isIntact: Bool = true) throws -> Int {
            var bytes = file.front + Self.chunk("tRNS", payload, isIntact: isIntact)
            bytes += file.data(PNGChunks.stored(file.scanlines))
            return try PNGDecode(bytes).channels
        }
        let colors = PNGFile(width: 3, height: 3)
        #expect(try channels(colors, [0, 1, 0, 2, 0, 3]) == 4)
        #expect(try channels(colors, [0, 1, 0, 2, 0, 3], isIntact: false) == 3)
        #expect(try channels(colors, [0, 1]) == 3)
        #expect(try channels(PNGFile(width: 3, height: 3, colorType: 0), [0, 1]) == 2)
        #expect(try channels(PNGFile(width: 3, height: 3, colorType: 6), [0, 1]) == 4)
        let indexed = PNGFile(width: 3, height: 3, depth: 1, colorType: 3, palette: [1, 2, 3, 4, 5, 6])
        #expect(try channels(indexed, [9]) == 4)
        #expect(try channels(indexed, [9, 9, 9]) == 3)
        // A head that says otherwise does no harm.
        let bytes = PNGChunks.inserting("tRNS", [0, 1, 0, 2, 0, 3], into: colors.encoded(), isIntact: false)
        let image = try Renderer().render(MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum))
        #expect(image.bitmap.format == .rgb)
    }

    @Test(
        "a file cut short is truncated at high quality, with how far it came, and partial at fast",
        arguments: [false, true])
    func cutShort(isInterlaced: Bool) throws {
        var file = PNGFile(width: 200, height: 200)
        file.isInterlaced = isInterlaced
        file.pack = PNGChunks.stored
        file.sample = { x, y, channel in channel == 0 ? 250 : 20 }
        let bytes = file.encoded()
        var options = RenderOptions(targetSize: PixelSize(width: 50, height: 50))
        for percent in [3, 30, 60, 99] {
            options.quality = .high
            let source = MemoryByteSource(Array(bytes[..<(bytes.count * percent / 100)]))
            #expect {
                try Renderer().render(source, options: options)
            } throws: {
                guard case .truncated(let fraction) = $0 as? RenderError else { return false }
                return abs(fraction - Double(percent) / 100) < 0.02
            }
            options.quality = .fast
            let image = try Renderer().render(source, options: options)
            #expect(image.isPartial && image.decoder == .png && image.bitmap.size == options.targetSize)
            let samples = Pictures.samples(image.bitmap)
            #expect(samples[0] > 240 && samples[1] < 30)
            // From its second pass on an interlaced picture is there all over.
            if percent < 90 { #expect((samples.last == 128) == !isInterlaced, "\(percent) %") }
        }
    }
}
