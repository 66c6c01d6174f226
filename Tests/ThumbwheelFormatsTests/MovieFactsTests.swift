import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Facts of movies") struct MovieFactsTests {
    private static func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] { HEIFBytes.box(kind, payload) }

    /// The metadata of a movie: keys and their values.
    private static func metadata(_ values: [(key: String, value: String)], isFull: Bool = false) -> [UInt8] {
        let keys: [UInt8] = values.flatMap { .big($0.key.utf8.count + 8, 4) + .text("mdta" + $0.key) }
        let items: [UInt8] = values.enumerated().flatMap { index, value in
            let data = box("data", .big(1, 4) + .zeros(4) + .text(value.value))
            return .big(data.count + 8, 4) + .big(index + 1, 4) + data
        }
        return box(
            "meta",
            (isFull ? .zeros(4) : []) + box("hdlr", .zeros(8) + .text("mdta") + .zeros(12))
                + box("keys", .zeros(4) + .big(values.count, 4) + keys) + box("ilst", items))
    }

    private static let values = [
        ("com.apple.quicktime.make", "Apple"), ("com.apple.quicktime.content.identifier", "8C7B-LIVE"),
    ]

    private static func movie(_ metadata: [UInt8], pixels: Int = 100) -> [UInt8] {
        box("ftyp", .text("qt  ") + .zeros(4) + .text("qt  ")) + box("wide", []) + box("mdat", .zeros(pixels))
            + box("moov", box("mvhd", .zeros(100)) + metadata)
    }

    private func identifier(_ bytes: [UInt8]) throws -> String? {
        try MovieFacts(reading: MemoryByteSource(bytes)).contentIdentifier
    }

    @Test("the identifier is found behind the pixels, which are not read")
    func identifier() throws {
        let source = CountingSource(Self.movie(Self.metadata(Self.values), pixels: 3_000_000))
        #expect(try MovieFacts(reading: source).contentIdentifier == "8C7B-LIVE")
        #expect(source.tally.total < 65_536)
        #expect(try identifier(Self.movie(Self.metadata(Self.values, isFull: true))) == "8C7B-LIVE")
    }

    @Test("a movie without it has none")
    func none() throws {
        #expect(try identifier(Self.movie([])) == nil)
        #expect(try identifier(Self.movie(Self.metadata([Self.values[0]]))) == nil)
        #expect(try identifier(Self.movie(Self.metadata([(Self.values[1].0, "")]))) == nil)
        #expect(try identifier(Self.box("mdat", .zeros(10))) == nil)
    }

    @Test("images and other files are no movies")
    func others() {
        for file in [HEIFBytes(properties: [HEIFBytes.size(6, 4)]).encoded(), .text("some words about a movie"), []] {
            #expect(throws: HeadError.unknownType) { try MovieFacts(reading: MemoryByteSource(file)) }
        }
    }

    @Test("a movie cut anywhere, or with any byte changed, ends")
    func damage() throws {
        let movie = Self.movie(Self.metadata(Self.values), pixels: 20)
        for end in 8..<movie.count { _ = try? identifier([UInt8](movie[..<end])) }
        for place in movie.indices {
            for byte in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var changed = movie
                changed[place] = byte
                let source = CountingSource(changed)
                if let found = try? MovieFacts(reading: source).contentIdentifier { #expect(found.utf8.count < 129) }
                #expect(source.tally.total < 65_536)
            }
        }
    }
}
