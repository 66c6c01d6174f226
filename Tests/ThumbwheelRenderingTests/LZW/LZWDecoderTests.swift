import Testing

@testable import ThumbwheelRendering

@Suite("LZW by pieces")
struct LZWDecoderTests {
    /// The contents of a room of `roomCount` bytes after a stream in pieces that end at `cuts`, and how it ends; nothing may be
    /// written around the room.
    private static func decode(
        _ bytes: [UInt8], _ kind: LZWBytes, roomCount: Int, cuts: [Int] = []
    ) -> (made: [UInt8], pause: String) {
        kind.hasLowBitsFirst
            ? decode(
                bytes, LZWDecoder<LZWLowBitsFirst>(symbolBits: kind.symbolBits, early: kind.early), roomCount, cuts)
            : decode(
                bytes, LZWDecoder<LZWHighBitsFirst>(symbolBits: kind.symbolBits, early: kind.early), roomCount, cuts)
    }

    private static func decode<BitOrder: LZWBitOrder>(
        _ bytes: [UInt8], _ decoder: LZWDecoder<BitOrder>, _ roomCount: Int, _ cuts: [Int]
    ) -> (made: [UInt8], pause: String) {
        let margin = 64
        var memory = [UInt8](repeating: 0xA5, count: roomCount + 2 * margin)
        var pause = LZWDecoder<BitOrder>.Pause.endOfInput
        memory.withUnsafeMutableBufferPointer { memory in
            let room = UnsafeMutableBufferPointer(rebasing: memory[margin..<margin + roomCount])
            var start = 0
            for end in cuts + [bytes.count] {
                // A copy of its own, so that the address sanitizer sees what is read behind a piece.
                pause = Array(bytes[start..<end]).withUnsafeBytes { decoder.decode($0, into: room) }
                start = end
                if pause.isFinal { break }
            }
            // A final pause comes again.
            let again = bytes.withUnsafeBytes { pause.isFinal ? decoder.decode($0, into: room) : pause }
            #expect(again == pause)
        }
        let margins = memory[..<margin] + memory[(margin + roomCount)...]
        #expect(margins.allSatisfy { $0 == 0xA5 }, "written outside the room")
        return (Array(memory[margin..<margin + decoder.count]), "\(pause)")
    }

    /// Runs, noise, few values, and repetitions.
    private static func data(_ count: Int, symbolBits: Int, _ random: inout SplitMix) -> [UInt8] {
        let mask = UInt64(1) << UInt64(symbolBits) - 1
        var data: [UInt8] = []
        while data.count < count {
            let length = Int(random.next() % 1000)
            switch random.next() % 4 {
            case 0: data += [UInt8](repeating: UInt8(random.next() & mask), count: length * 5)
            case 1: for _ in 0..<length { data.append(UInt8(random.next() & mask)) }
            case 2: for _ in 0..<length { data.append(UInt8(random.next() & mask & 1)) }
            default: data += data.prefix(Int(random.next() % 4000)).suffix(length)
            }
        }
        return Array(data.prefix(count))
    }

    @Test("data come back, with clear codes soon, late and never", arguments: [UInt64(1), 2, 3])
    func roundTrip(seed: UInt64) {
        var random = SplitMix(state: seed)
        for kind in LZWBytes.kinds {
            for count in [0, 1, 2, 3, 17, 300, 5000, 60_000] {
                let data = Self.data(count, symbolBits: kind.symbolBits, &random)
                // 4093 is where encoders of TIFF clear.
                for limit in [1 << kind.symbolBits + 9, 600, 4093, nil] {
                    let bytes = kind.compressed(data, clearingBehind: limit)
                    let note = "seed \(seed), \(kind), \(count) bytes, cleared behind \(limit ?? 0)"
                    let cuts = (0..<5).map { _ in Int(random.next() % UInt64(bytes.count + 1)) }.sorted()
                    let (made, pause) = Self.decode(bytes, kind, roomCount: count + 1, cuts: cuts)
                    #expect(made == data && pause == "complete", "\(note)")
                    let (same, other) = Self.decode(bytes, kind, roomCount: count, cuts: cuts)
                    #expect(same == data && other == "outputFull", "\(note)")
                    let part = count / 2
                    let (front, full) = Self.decode(bytes, kind, roomCount: part)
                    #expect(front == Array(data.prefix(part)) && full == "outputFull", "\(note)")
                    let open = kind.compressed(data, clearingBehind: limit, ends: false)
                    let (all, last) = Self.decode(open, kind, roomCount: count + 1)
                    // The last byte's padding may be as long as a short code.
                    #expect(all.starts(with: data) && last != "complete" && last != "damaged", "\(note)")
                }
            }
        }
    }

    @Test("it does not matter where the input is cut", arguments: LZWBytes.kinds)
    func cuts(kind: LZWBytes) {
        var random = SplitMix(state: 5)
        let data = Self.data(1500, symbolBits: kind.symbolBits, &random)
        let bytes = kind.compressed(data, clearingBehind: 700)
        for cut in 0...bytes.count {
            let (made, pause) = Self.decode(bytes, kind, roomCount: 1501, cuts: [cut])
            #expect(made == data && pause == "complete", "cut at \(cut)")
        }
        for length in 1...20 {
            let cuts = Array(stride(from: length, to: bytes.count, by: length))
            let (made, pause) = Self.decode(bytes, kind, roomCount: 1501, cuts: cuts)
            #expect(made == data && pause == "complete", "pieces of \(length)")
        }
    }

    @Test("the newest string may be used at once, at any length", arguments: LZWBytes.kinds)
    func newestString(kind: LZWBytes) {
        // Of a run each string but the first is the newest, and a byte longer; so are those of a repeated pair.
        for data in [
            [UInt8](repeating: 1, count: 20_000), (0..<20_000).map { UInt8($0 & 1) },
            (0..<20_000).map { $0 % 3 == 0 ? 1 : 0 },
        ] {
            let bytes = kind.compressed(data, clearingBehind: nil)
            let (made, pause) = Self.decode(bytes, kind, roomCount: data.count + 1)
            #expect(made == data && pause == "complete")
        }
    }

    @Test(
        "streams that are damaged or cut short give what a plain decoder makes of them", arguments: [UInt64(1), 2, 3])
    func damage(seed: UInt64) {
        var random = SplitMix(state: seed)
        for kind in LZWBytes.kinds {
            for round in 0..<120 {
                let count = 1 + Int(random.next() % 4000)
                let data = Self.data(count, symbolBits: kind.symbolBits, &random)
                var bytes = kind.compressed(data, clearingBehind: random.next() % 2 == 0 ? 500 : nil)
                switch random.next() % 3 {
                case 0: bytes = bytes.map { _ in UInt8(random.next() & 255) }
                case 1: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
                default:
                    for _ in 0..<1 + random.next() % 5 {
                        bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(random.next() & 255)
                    }
                }
                let roomCount = Int(random.next() % UInt64(2 * count))
                let cuts = (0..<3).map { _ in Int(random.next() % UInt64(bytes.count + 1)) }.sorted()
                let expected = kind.decompressed(bytes, limit: roomCount)
                let (made, pause) = Self.decode(bytes, kind, roomCount: roomCount, cuts: cuts)
                #expect(made == expected.made && pause == expected.pause, "seed \(seed), \(kind), round \(round)")
            }
        }
    }

    @Test("a code without a meaning is damage: behind a clear code all but symbols are")
    func meaninglessCodes() {
        let kind = LZWBytes(hasLowBitsFirst: false, early: 1)
        func stream(_ codes: [Int]) -> [UInt8] {
            kind.packed(codes.flatMap { code in (0..<9).reversed().map { code >> $0 & 1 == 1 } })
        }
        let first = Self.decode(stream([256, 258]), kind, roomCount: 10)
        #expect(first.made == [] && first.pause == "damaged")
        let tooNew = Self.decode(stream([256, 7, 259]), kind, roomCount: 10)
        #expect(tooNew.made == [7] && tooNew.pause == "damaged")
        let newest = Self.decode(stream([256, 7, 258, 257]), kind, roomCount: 10)
        #expect(newest.made == [7, 7, 7] && newest.pause == "complete")
        // It need not begin with a clear code, and may have several.
        let bare = Self.decode(stream([7, 258, 256, 256, 8, 257]), kind, roomCount: 10)
        #expect(bare.made == [7, 7, 7, 8] && bare.pause == "complete")
    }
}
