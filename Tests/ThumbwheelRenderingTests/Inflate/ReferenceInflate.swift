import CZlib

/// zlib, as tests ask it.
enum ReferenceInflate {
    /// How zlib leaves data.
    enum End {
        case complete
        /// The data end before the stream does.
        case endOfInput
        case damaged
    }

    /// Compresses data as a zlib stream, with settings, and places where blocks end, that are chosen at random.
    static func stream(of data: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var stream = z_stream()
        let level = Int32(random.next() % 10)
        // Default, filtered, Huffman codes only, runs only, fixed codes.
        let strategy = Int32(random.next() % 5)
        let status = tw_deflate_init(
            &stream, level, 9 + Int32(random.next() % 7), 1 + Int32(random.next() % 9), strategy)
        precondition(status == Z_OK)
        defer { deflateEnd(&stream) }
        var made: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var input = data
        input.withUnsafeMutableBufferPointer { input in
            var place = 0
            while true {
                let count = min(input.count - place, random.next() % 3 == 0 ? 500 : 1 << 20)
                let isLast = place + count == input.count
                stream.next_in = input.baseAddress.map { $0 + place }
                stream.avail_in = UInt32(count)
                place += count
                let flush = isLast ? Z_FINISH : [Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH][Int(random.next() % 3)]
                repeat {
                    room.withUnsafeMutableBufferPointer {
                        stream.next_out = $0.baseAddress
                        stream.avail_out = UInt32($0.count)
                        _ = deflate(&stream, flush)
                    }
                    made += room[..<(room.count - Int(stream.avail_out))]
                } while stream.avail_out == 0
                if isLast { return }
            }
        }
        return made
    }

    /// What zlib makes of a zlib stream whose header is right, without looking at its checksum.
    ///
    /// - Parameter limit: the largest number of bytes to make.
    static func bytes(of compressed: [UInt8], limit: Int) -> (made: [UInt8], end: End) {
        var stream = z_stream()
        // Less than 0: a stream without header and checksum.
        precondition(tw_inflate_init(&stream, -15) == Z_OK)
        defer { inflateEnd(&stream) }
        var made = [UInt8](repeating: 0, count: limit)
        var input = Array(compressed.dropFirst(2))
        let status = input.withUnsafeMutableBufferPointer { input in
            made.withUnsafeMutableBufferPointer { room in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = room.baseAddress
                stream.avail_out = UInt32(room.count)
                return inflate(&stream, Z_SYNC_FLUSH)
            }
        }
        made.removeLast(Int(stream.avail_out))
        return (made, status == Z_STREAM_END ? .complete : status == Z_DATA_ERROR ? .damaged : .endOfInput)
    }
}
