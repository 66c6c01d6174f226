import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats

/// Work is counted, not time: a step is some twenty nanoseconds, so that the limit stands for a few milliseconds.
@Suite("Steps of work for a head")
struct HeadStepTests {
    /// The steps and bytes that reading took, and the head; nil after an error.
    private func cost(of bytes: [UInt8]) -> (steps: Int, byteCount: Int, head: ImageHead?) {
        var reader = HeadReader(MemoryByteSource(bytes))
        let head = try? ImageHead(&reader)
        return (reader.stepsSpent, reader.bytesRead, head)
    }

    @Test("a megabyte of any list costs no more steps than the limit", arguments: HostileLists.all.map(\.name))
    func lists(name: String) throws {
        let bytes = try #require(HostileLists.all.first { $0.name == name }).bytes()
        #expect(bytes.count > 500_000)
        let cost = cost(of: bytes)
        #expect(cost.steps <= 1 << 18 && cost.byteCount <= 1 << 20)
        // Without an error of limits, the list was read to its end.
        #expect(cost.head != nil || headError(bytes)?.isLimitExceeded == true)
        var reader = HeadReader(MemoryByteSource(bytes))
        _ = try? PhotographFacts(&reader, filename: nil)
        #expect(reader.stepsSpent <= 1 << 18 && reader.bytesRead <= 1 << 20)
    }

    @Test("a packet of any size costs no more steps than the limit, and its beginning counts")
    func packet() throws {
        let attributes = String(repeating: "x:y='1' ", count: 200_000)
        let packet = "<rdf:Description GPano:ProjectionType='equirectangular' \(attributes)/>"
        let file = PNGBytes.header(7, 5) + PNGBytes.chunk("iTXt", .text("XML:com.adobe.xmp\0\0\0\0\0" + packet))
        var reader = HeadReader(MemoryByteSource(file + PNGBytes.chunk("IDAT", [0])))
        #expect(try PhotographFacts(&reader, filename: nil).kinds.keys.contains(.panorama))
        #expect(reader.stepsSpent <= 1 << 18 && reader.bytesRead <= 1 << 18)
    }

    @Test("repeated statements cost no repeated work: steps grow with the list, not with its square")
    func references() {
        let alpha = HEIFBytes.fullBox("auxC", .text("urn:mpeg:hevc:2015:auxid:2\0"))
        func file(_ count: Int) -> HEIFLists {
            HEIFLists(
                properties: [HEIFBytes.size(64, 48), alpha],
                associations: [(1, [1])]
                    + [(item: Int, properties: [Int])](
                        repeating: (2, [Int](repeating: 2, count: 100)), count: count / 100),
                references: [("auxl", 2, [Int](repeating: 1, count: count))])
        }
        let (few, many) = (cost(of: file(1000).encoded()), cost(of: file(10_000).encoded()))
        #expect(few.head?.hasAlpha == false && many.head?.hasAlpha == false)
        #expect(many.steps < 11 * few.steps && many.steps < 100_000)
    }

    @Test("a profile that is associated thousands of times is read once")
    func profile() {
        func file(_ count: Int) -> HEIFLists {
            HEIFLists(
                properties: [
                    HEIFBytes.size(64, 48), HEIFBytes.box("colr", .text("prof") + HostileLists.namelessProfile),
                ],
                associations: [(item: Int, properties: [Int])](
                    repeating: (1, [1] + [Int](repeating: 2, count: 99)), count: count / 100))
        }
        let (once, often) = (cost(of: file(100).encoded()), cost(of: file(10_000).encoded()))
        #expect(once.head?.profile?.colorSpace == "RGB" && often.head?.profile == once.head?.profile)
        // An association takes five steps: one reads its number, and the others look it up.
        #expect(often.steps - once.steps < 10_000 * 6)
    }

    @Test("a photograph's head takes a fraction of the limit; ten thousand tiles are not too many")
    func ordinary() throws {
        #expect(cost(of: JPEGBytes.start + JPEGBytes.exif(TIFFBytes.exif()) + JPEGBytes.frame(6, 4)).steps < 2000)
        let tiles = HEIFLists(
            kinds: (2..<10_002).map { ($0, "hvc1") } + [(1, "grid")],
            associations: [(1, [1])] + (2..<10_002).map { ($0, [1, 2]) },
            references: [("dimg", 1, Array(2..<10_002))],
            locations: (2..<10_002).map { ($0, 0..<10) })
        let cost = cost(of: tiles.encoded())
        #expect(cost.head?.contentType == .heic && cost.steps < 1 << 18)
    }

    @Test(
        "items that are derived from themselves, or from too many pictures, are refused before a decoder follows them",
        arguments: [
            // The grid is one of its own tiles.
            [(1, [2, 3, 1])],
            // Two items are derived from each other.
            [(1, [2]), (2, [3, 1])],
            // The second of two parts comes back.
            [(1, [2, 3]), (3, [2, 4]), (4, [2, 1])],
            // Each of three steps multiplies the pictures by fifty.
            [
                (1, [Int](repeating: 2, count: 50)), (2, [Int](repeating: 3, count: 50)),
                (3, [Int](repeating: 4, count: 50)),
            ],
            // The number of steps has a limit.
            [(1, [2]), (2, [3]), (3, [4]), (4, [5]), (5, [6])],
        ])
    func derivations(lists: [(Int, [Int])]) {
        func file(_ lists: [(Int, [Int])]) -> HEIFLists {
            HEIFLists(
                kinds: [(1, "grid"), (2, "hvc1")], associations: [(1, [1])],
                references: lists.map { ("dimg", $0.0, $0.1) })
        }
        #expect(cost(of: file(lists).encoded()).head == nil)
        #expect(cost(of: file([(1, [2, 2]), (3, [3])]).encoded()).head != nil)
        #expect(cost(of: file([(1, [2]), (2, [3]), (3, [4]), (4, [5])]).encoded()).head != nil)
    }

    @Test("all parts of a head share one budget of steps; beyond it every part is refused")
    func budget() throws {
        var reader = HeadReader(MemoryByteSource(.zeros(100)))
        try reader.spend(HeadReader.stepLimit - 20)
        #expect(try reader.byte(at: 0) == 0)
        #expect(throws: HeadError.self) { try reader.spend(20) }
        #expect(throws: HeadError.self) { try reader.byte(at: 1) }
        #expect(reader.stepsSpent == HeadReader.stepLimit)
    }
}
