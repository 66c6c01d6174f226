import Testing

@testable import ThumbwheelRendering

/// Whole and damaged streams, beside zlib, which is the measure of what a stream means.
@Suite("Inflating as zlib does")
struct InflateZlibTests {
    /// How lanes leave a stream: as zlib may, or because igzip is to go on.
    private enum End: Equatable {
        case pause(InflateStream.Pause)
        case slow
    }

    private static let limit = 4 << 20

    /// What lanes alone make of a stream in rooms of random sizes, until the stream would be left to igzip.
    private static func inflateByLanes(_ stream: [UInt8], _ random: inout SplitMix) -> (made: [UInt8], end: End) {
        let (input, blocks) = (InflateInput(), InflateBlocks())
        var made: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 200_000, alignment: 64)
        defer { room.deallocate() }
        return stream.dropFirst(2).withUnsafeBytes { bytes in
            var left = bytes
            while made.count <= limit {
                let part = UnsafeMutableRawBufferPointer(rebasing: room[..<(1 + Int(random.next() % 200_000))])
                var count = 0
                var pause: InflateStream.Pause?
                repeat {
                    input.refill(from: &left)
                    pause = blocks.inflate(input, mayGrow: !left.isEmpty, into: part, after: &count)
                } while pause == .endOfInput && !left.isEmpty
                made += part[..<count]
                guard let pause else { return (made, .slow) }
                guard pause == .outputFull else { return (made, .pause(pause)) }
                blocks.keep(UnsafeRawBufferPointer(part))
            }
            return (made, .pause(.outputFull))
        }
    }

    /// What `InflateStream` makes of a stream, with igzip or without.
    private static func inflate(_ stream: [UInt8]) -> (made: [UInt8], pause: InflateStream.Pause) {
        let inflater = InflateStream()
        var made: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 100_000, alignment: 64)
        defer { room.deallocate() }
        return stream.withUnsafeBytes { bytes in
            var input = bytes
            while true {
                var count = 0
                let pause = inflater.inflate(&input, hasMore: false, into: room, after: &count)
                made += room[..<count]
                if pause != .outputFull || made.count > limit { return (made, pause) }
            }
        }
    }

    /// Data of which some parts are noise, others repeat themselves at any distance, and some are runs.
    private static func data(_ random: inout SplitMix) -> [UInt8] {
        var data: [UInt8] = []
        let noisiness = 1 + random.next() % 6
        let byteCount = Int(random.next() % 150_000)
        while data.count < byteCount {
            let spread = 1 + random.next() % 255
            if random.next() % 8 < noisiness {
                for _ in 0..<random.next() % 20_000 { data.append(UInt8(random.next() % (1 + random.next() % spread))) }
            } else if !data.isEmpty, random.next() % 4 > 0 {
                let distance = 1 + Int(random.next() % UInt64(min(data.count, 32_768)))
                for _ in 0..<random.next() % 5000 { data.append(data[data.count - distance]) }
            } else {
                data += [UInt8](repeating: UInt8(random.next() & 255), count: Int(random.next() % 3000))
            }
        }
        return Array(data.prefix(byteCount))
    }

    /// Bytes that are changed, taken away, repeated or cut off behind the header.
    private static func damaged(_ stream: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = stream
        for _ in 0...random.next() % 3 {
            guard bytes.count > 3 else { break }
            // Half of the damage is near the front, where the codes of a block stand.
            let reach = random.next() % 2 == 0 ? min(bytes.count - 2, 120) : bytes.count - 2
            let place = 2 + Int(random.next() % UInt64(reach))
            switch random.next() % 6 {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1 + Int(random.next() % 40)))
            case 1: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
            case 2: bytes.removeSubrange(place...)
            case 3: bytes[place] = UInt8(random.next() & 255)
            default: bytes[place] ^= 1 << UInt8(random.next() % 8)
            }
        }
        return bytes
    }

    @Test("whole streams of any settings come back", arguments: 0..<60)
    func whole(seed: Int) {
        var random = SplitMix(state: UInt64(50_000 + seed))
        let data = Self.data(&random)
        let stream = ReferenceInflate.stream(of: data, &random)
        let (made, pause) = Self.inflate(stream)
        let isEqual = made == data
        #expect(pause == .complete && isEqual, "seed \(seed)")
        let (begun, end) = Self.inflateByLanes(stream, &random)
        let isBegun = end == .slow ? data.starts(with: begun) : begun == data
        #expect(isBegun && (end == .slow || end == .pause(.complete)), "seed \(seed)")
    }

    @Test("damage is found where zlib finds it", arguments: 0..<60)
    func damage(seed: Int) {
        var random = SplitMix(state: UInt64(60_000 + seed))
        let stream = ReferenceInflate.stream(of: Self.data(&random), &random)
        // A cut may have taken the true one. Its value is not looked at.
        let checksum: [UInt8] = [0, 0, 0, 0]
        for round in 0..<15 {
            let damaged = Self.damaged(stream, &random)
            let (expected, ending) = ReferenceInflate.bytes(of: damaged, limit: Self.limit)
            guard expected.count < Self.limit else { continue }
            let (made, end) = Self.inflateByLanes(damaged, &random)
            let isSame = end == .slow ? expected.starts(with: made) : made == expected
            #expect(isSame, "seed \(seed), round \(round): \(made.count) instead of \(expected.count) bytes")
            let isEndSame =
                switch (end, ending) {
                // Where less is left than a symbol may have, damage at the end of the data cannot be told from their end.
                case (.slow, _), (.pause(.complete), .complete), (.pause(.endOfInput), .endOfInput),
                    (.pause(.damaged), .damaged), (.pause(.endOfInput), .damaged):
                    true
                default: false
                }
            #expect(isEndSame, "seed \(seed), round \(round): \(end) instead of \(ending)")
            // Damage makes igzip keep back what it has not handed over. It also goes on where a code merely has distances
            // that do not exist, as long as none of those follows.
            let (all, pause) = Self.inflate(damaged + checksum)
            let isRight =
                ending == .complete
                ? pause == .complete && all == expected : all.starts(with: expected) || expected.starts(with: all)
            #expect(isRight, "seed \(seed), round \(round): \(all.count) instead of \(expected.count) bytes")
        }
    }
}
