import CISAL

/// A zlib stream (RFC 1950) that igzip inflates piece by piece. Its checksum is verified.
final class InflateStream {
    /// Why a call returned.
    enum Pause {
        /// All input is used up.
        case input
        /// The room is full.
        case room
        /// The stream has ended as it should.
        case complete
        /// The stream is no zlib stream, or its checksum is wrong.
        case damaged
    }

    private let state: UnsafeMutablePointer<inflate_state>
    // The stream's first two bytes, which igzip would want to have both at once.
    private var header: UInt16 = 0
    private var missingHeaderBytes = 2

    init() {
        state = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<inflate_state>.size, alignment: 64
        ).assumingMemoryBound(to: inflate_state.self)
        isal_inflate_init(state)
        state.pointee.crc_flag = UInt32(ISAL_ZLIB_NO_HDR_VER)
    }

    deinit {
        UnsafeMutableRawPointer(state).deallocate()
    }

    /// Inflates as far as input and room allow.
    ///
    /// - Parameters:
    ///   - input: loses what was used up.
    ///   - room: not empty.
    /// - Returns: the bytes that were made, whatever the pause.
    func inflate(
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
        let block = state.pointee.block_state
        guard block != ISAL_BLOCK_FINISH else { return (0, .complete) }
        // The library takes counts of 32 bits, and never writes to its input.
        let inputCount = min(input.count, 1 << 30)
        let roomCount = min(room.count, 1 << 30)
        state.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        state.pointee.avail_in = UInt32(inputCount)
        state.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        state.pointee.avail_out = UInt32(roomCount)
        let status = isal_inflate(state)
        let used = inputCount - Int(state.pointee.avail_in)
        let count = roomCount - Int(state.pointee.avail_out)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(used))
        guard status == ISAL_DECOMP_OK else { return (count, .damaged) }
        if state.pointee.block_state == ISAL_BLOCK_FINISH { return (count, .complete) }
        if count == roomCount { return (count, .room) }
        if input.isEmpty { return (count, .input) }
        // What stands still with input and room at hand would do so for ever.
        return used == 0 && count == 0 && state.pointee.block_state == block ? (0, .damaged) : (count, .room)
    }
}
