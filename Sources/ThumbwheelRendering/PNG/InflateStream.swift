import CISAL

/// A zlib stream (RFC 1950), inflated one buffer at a time by igzip from Intel's ISA-L library.
///
/// The stream must end with its checksum, but the value of the checksum is not verified. In a PNG, the checksums of the
/// chunks protect the data already.
final class InflateStream {
    /// The reason for which a call of `inflate` returned.
    enum Pause {
        /// All of the input is used up.
        case input
        /// The output buffer is full.
        case room
        /// The stream has ended.
        case complete
        /// The data are not a zlib stream, or are damaged.
        case damaged

        var isFinal: Bool { self != .input && self != .room }
    }

    private let state: UnsafeMutablePointer<inflate_state>
    // The first two bytes of the stream, which are checked here because igzip needs both of them in the same call.
    private var header: UInt16 = 0
    private var missingHeaderBytes = 2
    // The number of bytes of the stream's checksum that are still to come; nil until the compressed data before it have
    // ended.
    private var missingTrailerBytes: Int?
    private var ending: Pause?

    init() {
        state = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<inflate_state>.size, alignment: 64
        ).assumingMemoryBound(to: inflate_state.self)
        isal_inflate_init(state)
        state.pointee.crc_flag = UInt32(ISAL_DEFLATE)
    }

    deinit {
        UnsafeMutableRawPointer(state).deallocate()
    }

    /// Inflates data until the input is used up or the output buffer is full.
    ///
    /// - Parameters:
    ///   - input: the compressed bytes; the bytes that were used are removed from its front. A few bytes after its end
    ///     must be readable, because igzip may read one byte too many if the data are damaged.
    ///   - room: the output buffer, which must not be empty.
    /// - Returns: the number of bytes that were written, and the reason for the return. After the end of the stream or
    ///   damage, further calls return the same reason.
    func inflate(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> (count: Int, pause: Pause) {
        if let ending { return (0, ending) }
        let (count, pause) = step(&input, into: room)
        if pause.isFinal { ending = pause }
        return (count, pause)
    }

    private func step(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> (count: Int, pause: Pause) {
        while missingHeaderBytes > 0 {
            guard let byte = input.first else { return (0, .input) }
            header = header << 8 | UInt16(byte)
            missingHeaderBytes -= 1
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
        }
        // Deflate is the only valid method, and a stream may not refer to a dictionary, because PNG has no
        // dictionaries.
        guard header % 31 == 0, header >> 8 & 0x0F == 8, header >> 12 <= 7, header & 0x20 == 0 else {
            return (0, .damaged)
        }
        if missingTrailerBytes != nil { return (0, passTrailer(&input)) }
        // igzip's counts have 32 bits, so it gets at most 1 GiB of each buffer at once. igzip declares its input as
        // mutable, but never writes to it.
        let inputCount = min(input.count, 1 << 30)
        let roomCount = min(room.count, 1 << 30)
        let block = state.pointee.block_state
        state.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        state.pointee.avail_in = UInt32(inputCount)
        state.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        state.pointee.avail_out = UInt32(roomCount)
        let status = tw_isal_inflate(state)
        // After damage, igzip's count of the remaining input may wrap around to a number larger than `inputCount`.
        let left = Int(state.pointee.avail_in)
        let used = max(0, inputCount - left)
        let count = roomCount - Int(state.pointee.avail_out)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(used))
        guard status == ISAL_DECOMP_OK, left <= inputCount else { return (count, .damaged) }
        if state.pointee.block_state == ISAL_BLOCK_FINISH {
            // igzip may already have read some of the checksum's bytes into its bit buffer. `read_in_length` is the
            // number of bits in that buffer.
            missingTrailerBytes = 4 - Int(state.pointee.read_in_length) / 8
            return (count, passTrailer(&input))
        }
        if count == roomCount { return (count, .room) }
        if input.isEmpty { return (count, .input) }
        // If a call with both input and output space makes no progress, no later call will. So the stream is damaged.
        return used == 0 && count == 0 && state.pointee.block_state == block ? (0, .damaged) : (count, .room)
    }

    private func passTrailer(_ input: inout UnsafeRawBufferPointer) -> Pause {
        let missing = max(0, missingTrailerBytes ?? 0)
        let count = min(missing, input.count)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(count))
        missingTrailerBytes = missing - count
        return missing == count ? .complete : .input
    }
}
