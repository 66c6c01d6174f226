import Testing

@testable import ThumbwheelRendering

/// Streams of many literals, which several lanes decode at once.
@Suite("Inflating by lanes")
struct InflateLanesTests {
    /// A stream of random blocks with codes of any shape, and the bytes that it stands for.
    ///
    /// - Parameter rarity: there are so many literals for each match.
    private static func stream(
        symbolCount: Int, rarity: UInt64, _ random: inout SplitMix
    ) -> (stream: [UInt8], data: [UInt8]) {
        var writer = DeflateWriter()
        writer.put(0x78, 8)
        writer.put(0x9C, 8)
        var data: [UInt8] = []
        for isLast in [false, false, true] {
            var symbols: [DeflateWriter.Symbol] = []
            let literals = 2 + Int(random.next() % 255)
            for _ in 0..<symbolCount {
                if !data.isEmpty, random.next() % rarity == 0 {
                    let length = 3 + Int(random.next() % (random.next() % 4 == 0 ? 256 : 8))
                    let reach = UInt64(min(data.count, random.next() % 2 == 0 ? 20 : 32_768))
                    let distance = 1 + Int(random.next() % reach)
                    symbols.append(.match(length: length, distance: distance))
                    for _ in 0..<length { data.append(data[data.count - distance]) }
                } else {
                    // Few bytes are frequent, so that codes have many lengths.
                    let byte = UInt8(random.next() % UInt64(1 + Int(random.next() % UInt64(literals))))
                    symbols.append(.literal(byte))
                    data.append(byte)
                }
            }
            writer.block(
                symbols, lengths: DeflateWriter.lengths(count: 286, &random),
                distances: DeflateWriter.lengths(count: 30, &random), isLast: isLast)
        }
        writer.padToByte()
        return (writer.bytes + [0, 0, 0, 0], data)
    }

    /// What a stream inflates to in rooms of a size, and how it ends.
    private static func inflate(_ stream: [UInt8], roomByteCount: Int) -> (made: [UInt8], pause: InflateStream.Pause) {
        let inflater = InflateStream()
        var made: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: roomByteCount, alignment: 64)
        defer { room.deallocate() }
        return stream.withUnsafeBytes { bytes in
            var input = bytes
            while true {
                var count = 0
                let pause = inflater.inflate(&input, hasMore: false, into: room, after: &count)
                made += room[..<count]
                if pause != .outputFull { return (made, pause) }
            }
        }
    }

    /// What igzip alone makes of a stream.
    private static func inflateByLibrary(_ stream: [UInt8]) -> [UInt8] {
        let input = InflateInput()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 50_000, alignment: 64)
        defer { room.deallocate() }
        return stream.dropFirst(2).withUnsafeBytes { bytes in
            var left = bytes
            input.refill(from: &left)
            let library = IgzipInflater(input, after: UnsafeRawBufferPointer(start: nil, count: 0))
            var made: [UInt8] = []
            while true {
                input.refill(from: &left)
                var count = 0
                let pause = library.inflate(input, mayGrow: false, into: room, after: &count)
                made += room[..<count]
                if pause == .complete || pause == .damaged || pause == .endOfInput && left.isEmpty { return made }
            }
        }
    }

    @Test("blocks come back whatever their codes are", arguments: 0..<24)
    func blocks(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        let rarity = [UInt64(1000), 50, 10, 7, 5, 2][seed % 6]
        let (stream, data) = Self.stream(symbolCount: 1000 + seed * 1500, rarity: rarity, &random)
        for roomByteCount in [1000, 40_000, 300_000] {
            let (made, pause) = Self.inflate(stream, roomByteCount: roomByteCount)
            let isEqual = made == data
            #expect(pause == .complete && isEqual, "seed \(seed), \(roomByteCount) bytes")
        }
        let isLibraryEqual = Self.inflateByLibrary(stream) == data
        #expect(isLibraryEqual, "seed \(seed)")
    }

    @Test("streams that are cut give all bytes whose symbols are whole", arguments: 0..<12)
    func cuts(seed: Int) {
        var random = SplitMix(state: UInt64(100 + seed))
        let (stream, data) = Self.stream(symbolCount: 9000, rarity: [40, 8, 3][seed % 3], &random)
        for _ in 0..<20 {
            let cut = Array(stream[..<Int(random.next() % UInt64(stream.count - 4))])
            let (made, pause) = Self.inflate(cut, roomByteCount: 64_000)
            let isPrefix = data.starts(with: made)
            #expect(pause == .endOfInput && isPrefix, "seed \(seed), \(cut.count) bytes")
            // igzip may keep the last symbols back.
            let expected = Self.inflateByLibrary(cut)
            #expect(made.count >= expected.count, "seed \(seed), \(cut.count) bytes")
        }
    }

    @Test("a damaged stream gives the bytes before the damage", arguments: 0..<30)
    func damage(seed: Int) {
        var random = SplitMix(state: UInt64(1000 + seed))
        let (stream, _) = Self.stream(symbolCount: 6000, rarity: [40, 12, 3][seed % 3], &random)
        for _ in 0..<10 {
            var damaged = stream
            let place = 2 + Int(random.next() % UInt64(stream.count - 2))
            damaged[place] ^= UInt8(1 + random.next() % 255)
            let (made, _) = Self.inflate(damaged, roomByteCount: 100_000)
            // igzip, which goes on with streams of many matches, accepts more than the standard does.
            let expected = PlainInflate.bytes(of: damaged)
            let isPrefix = made.starts(with: expected)
            #expect(isPrefix, "seed \(seed), byte \(place): \(made.count) instead of \(expected.count) bytes")
        }
    }

    @Test("a match that reaches back before the first byte is damage")
    func reach() {
        for (literalCount, distance) in [(0, 1), (5, 6), (3000, 3001), (20_000, 32_768)] {
            var random = SplitMix(state: 7)
            let symbols = (0..<literalCount).map { _ in DeflateWriter.Symbol.literal(UInt8(random.next() % 200)) }
            var writer = DeflateWriter()
            writer.put(0x78, 8)
            writer.put(0x9C, 8)
            writer.block(
                symbols + [.match(length: 5, distance: distance)],
                lengths: DeflateWriter.lengths(count: 286, &random),
                distances: DeflateWriter.lengths(count: 30, &random), isLast: true)
            writer.padToByte()
            let (made, pause) = Self.inflate(writer.bytes + [0, 0, 0, 0], roomByteCount: 9000)
            #expect(pause == .damaged && made.count == literalCount, "\(literalCount) literals")
        }
    }

    @Test("codes that are not complete, or have too many symbols, are damage")
    func codes() {
        var random = SplitMix(state: 11)
        let lengths = DeflateWriter.lengths(count: 286, &random)
        let distances = DeflateWriter.lengths(count: 30, &random)
        func pause(_ lengths: [Int], _ distances: [Int]) -> InflateStream.Pause {
            var writer = DeflateWriter()
            writer.put(0x78, 8)
            writer.put(0x9C, 8)
            writer.block([.literal(1), .literal(2)], lengths: lengths, distances: distances, isLast: true)
            writer.padToByte()
            return Self.inflate(writer.bytes + [0, 0, 0, 0], roomByteCount: 100).pause
        }
        #expect(pause(lengths, distances) == .complete)
        // A code without distances, or with a single one, is what zlib writes where there are no matches.
        #expect(pause(lengths, [0]) == .complete)
        #expect(pause(lengths, [1]) == .complete)
        #expect(pause(lengths, [2]) == .damaged)
        let longest = lengths.max()!
        let place = lengths.firstIndex(of: longest)!
        var missing = lengths
        missing[place] = 0
        #expect(pause(missing, distances) == .damaged)
        var double = lengths
        double[place] = longest - 1
        #expect(pause(double, distances) == .damaged)
        var endless = lengths
        endless[256] = 0
        #expect(pause(endless, distances) == .damaged)
        #expect(pause(lengths + [0], distances) == .damaged)
        #expect(pause(lengths, distances + [0]) == .damaged)
    }
}
