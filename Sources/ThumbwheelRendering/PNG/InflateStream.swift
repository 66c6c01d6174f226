import CISAL

/// A zlib stream (RFC 1950) that igzip inflates piece by piece.
///
/// Its own checksum must be there, but is not verified: what holds the stream has a better one.
final class InflateStream {
    /// Why a call returned.
    enum Pause {
        /// All input is used up.
        case input
        /// The room is full.
        case room
        /// The stream has ended.
        case complete
        /// The stream is no zlib stream, or breaks off.
        case damaged

        var isFinal: Bool { self != .input && self != .room }
    }

    private let state: UnsafeMutablePointer<inflate_state>
    // The stream's first two bytes, which igzip would want to have both at once.
    private var header: UInt16 = 0
    private var missingHeaderBytes = 2
    // Of the checksum, once the data have ended.
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

    /// Inflates until the input is used up or the room is full.
    ///
    /// - Parameters:
    ///   - input: loses what was used up. A few bytes behind it should be there to be read: the library is known to have
    ///     counted one too many where data are damaged.
    ///   - room: not empty.
    /// - Returns: the bytes that were made, whatever the pause. A pause that is final comes again.
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
        // Deflate is the only method; no dictionary is known that a stream could refer to.
        guard header % 31 == 0, header >> 8 & 0x0F == 8, header >> 12 <= 7, header & 0x20 == 0 else {
            return (0, .damaged)
        }
        if missingTrailerBytes != nil { return (0, passTrailer(&input)) }
        // The library takes counts of 32 bits, and never writes to its input.
        let inputCount = min(input.count, 1 << 30)
        let roomCount = min(room.count, 1 << 30)
        let block = state.pointee.block_state
        state.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        state.pointee.avail_in = UInt32(inputCount)
        state.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        state.pointee.avail_out = UInt32(roomCount)
        let status = tw_isal_inflate(state)
        // After damage the library's count of what is left may wrap around.
        let left = Int(state.pointee.avail_in)
        let used = max(0, inputCount - left)
        let count = roomCount - Int(state.pointee.avail_out)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(used))
        guard status == ISAL_DECOMP_OK, left <= inputCount else { return (count, .damaged) }
        if state.pointee.block_state == ISAL_BLOCK_FINISH {
            // Some bytes behind the data have been taken in already.
            missingTrailerBytes = 4 - Int(state.pointee.read_in_length) / 8
            return (count, passTrailer(&input))
        }
        if count == roomCount { return (count, .room) }
        if input.isEmpty { return (count, .input) }
        // A call that makes no progress with input and room at hand would never make any.
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
