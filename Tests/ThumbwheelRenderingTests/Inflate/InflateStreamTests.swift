import Testing

@testable import ThumbwheelRendering

@Suite("Inflating by pieces")
struct InflateStreamTests {
    /// What a stream inflates to in pieces of random lengths, and how it ends.
    private static func inflate(
        _ bytes: [UInt8], limit: Int, startsByLibrary: Bool = false, _ random: inout SplitMix
    ) -> (made: [UInt8], pause: InflateStream.Pause) {
        let stream = InflateStream(startsByLibrary: startsByLibrary)
        defer { if startsByLibrary { #expect(stream.isByLibrary) } }
        var made: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 70_000)
        var place = 0
        var (count, capacity) = (0, 1 + Int(random.next() % 70_000))
        while true {
            let end = min(bytes.count, place + Int(random.next() % 3000))
            var last = InflateStream.Pause.endOfInput
            Array(bytes[place..<end]).withUnsafeBytes { piece in
                var input = piece
                repeat {
                    last = room.withUnsafeMutableBytes {
                        stream.inflate(
                            &input, hasMore: end < bytes.count && random.next() % 4 > 0,
                            into: UnsafeMutableRawBufferPointer(rebasing: $0[..<capacity]), after: &count)
                    }
                    guard last == .outputFull else { break }
                    made += room[..<count]
                    (count, capacity) = (0, 1 + Int(random.next() % UInt64(room.count)))
                } while made.count <= limit
            }
            place = end
            guard last == .endOfInput, place < bytes.count else { return (made + room[..<count], last) }
        }
    }

    @Test("stored and compressed data come back, however they are cut up", arguments: [UInt64(1), 2, 3])
    func pieces(seed: UInt64) {
        var random = SplitMix(state: seed)
        for byteCount in [0, 1, 100, 65_535, 65_536, 300_000] {
            // Runs, noise, and repetitions from far back.
            var data: [UInt8] = []
            while data.count < byteCount {
                switch random.next() % 3 {
                case 0: data += [UInt8](repeating: UInt8(random.next() & 255), count: Int(random.next() % 5000))
                case 1: for _ in 0..<random.next() % 5000 { data.append(UInt8(random.next() & 255)) }
                default: data += data.prefix(Int(random.next() % 40_000)).suffix(9000)
                }
            }
            data = Array(data.prefix(byteCount))
            for bytes in [PNGChunks.stored(data), PNGChunks.compressed(data)] {
                let (made, pause) = Self.inflate(bytes, limit: .max, &random)
                let isEqual = made == data
                #expect(pause == .complete && isEqual, "seed \(seed), \(byteCount) bytes")
                let (again, end) = Self.inflate(bytes, limit: .max, startsByLibrary: true, &random)
                let isEqualAgain = again == data
                #expect(end == .complete && isEqualAgain, "seed \(seed), \(byteCount) bytes by igzip alone")
                var wrong = bytes
                wrong[wrong.count - 1] ^= 1
                let (same, other) = Self.inflate(wrong, limit: .max, &random)
                let isSame = same == data
                #expect(other == .complete && isSame, "seed \(seed), \(byteCount) bytes")
                let (_, open) = Self.inflate(bytes.dropLast(), limit: .max, &random)
                #expect(open == .endOfInput, "seed \(seed), \(byteCount) bytes")
            }
        }
    }

    @Test("damage ends a stream, and makes nothing without end", arguments: [UInt64(4), 5, 6])
    func damage(seed: UInt64) {
        var random = SplitMix(state: seed)
        let data = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
        for bytes in [PNGChunks.stored(data), PNGChunks.compressed(data)] {
            for _ in 0..<300 {
                var damaged = bytes
                for _ in 0...random.next() % 3 {
                    damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255)
                }
                // A byte of input makes no more than some thousand of output.
                let (made, _) = Self.inflate(damaged, limit: 1 << 24, &random)
                #expect(made.count <= 1 << 24, "seed \(seed)")
            }
        }
    }

    @Test("what is no zlib stream of ours is damaged from its first bytes")
    func headers() {
        for header: [UInt8] in [[0x78, 0x02], [0x79, 0x9F], [0x88, 0x1C], [0x78, 0xBB]] {
            let stream = InflateStream()
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
            defer { room.deallocate() }
            // One byte at a time.
            for (index, byte) in (header + [3, 0]).enumerated() {
                [byte].withUnsafeBytes { piece in
                    var input = piece
                    var count = 0
                    let pause = stream.inflate(&input, hasMore: true, into: room, after: &count)
                    #expect(pause == (index == 0 ? .endOfInput : .damaged))
                }
            }
        }
    }
}
