import CISAL

/// Inflates deflate data (RFC 1951) by igzip from Intel's ISA-L library, which is the fastest way for data with many
/// matches.
final class IgzipInflater {
    private let state: UnsafeMutablePointer<inflate_state>
    private var ending: InflateStream.Pause?

    /// - Parameters:
    ///   - input: the input, whose next bit is the first bit of a block.
    ///   - lastBytes: the last bytes of the output so far, as many as a match can reach back.
    init(_ input: InflateInput, after lastBytes: UnsafeRawBufferPointer) {
        state = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<inflate_state>.size, alignment: 64
        ).assumingMemoryBound(to: inflate_state.self)
        isal_inflate_init(state)
        state.pointee.crc_flag = UInt32(ISAL_DEFLATE)
        var bits = input.bits
        let bitCount = min(bits.left, -bits.position & 7)
        state.pointee.read_in_length = Int32(bitCount)
        state.pointee.read_in = UInt64(bits.take(bitCount))
        input.pass(to: bits.position)
        if let start = lastBytes.baseAddress, !lastBytes.isEmpty {
            // igzip only copies these bytes, although it declares them as mutable.
            let bytes = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: UInt8.self))
            let status = isal_inflate_set_dict(state, bytes, UInt32(lastBytes.count))
            precondition(status == ISAL_DECOMP_OK, "igzip does not take what was inflated before")
        }
    }

    /// The number of whole bytes that igzip has taken although they lie after the end of the deflate data. They are in
    /// igzip's bit buffer, which holds `read_in_length` bits that are not decoded.
    var excessByteCount: Int { Int(state.pointee.read_in_length) / 8 }

    deinit {
        UnsafeMutableRawPointer(state).deallocate()
    }

    /// Inflates until the input is used up, the output buffer is full, or the data end.
    ///
    /// - Parameters:
    ///   - mayGrow: whether more input may follow. If so, igzip is not called while little input is left, because each
    ///     call takes some time.
    ///   - room: the output buffer.
    ///   - count: the number of bytes of the buffer that have been written; increased by this call.
    func inflate(
        _ input: InflateInput, mayGrow: Bool, into room: UnsafeMutableRawBufferPointer, after count: inout Int
    ) -> InflateStream.Pause {
        if let ending { return ending }
        if mayGrow, input.isLow { return .endOfInput }
        let pause = inflate(input, UnsafeMutableRawBufferPointer(rebasing: room[count...]), &count)
        if pause == .complete || pause == .damaged { ending = pause }
        return pause
    }

    private func inflate(
        _ input: InflateInput, _ room: UnsafeMutableRawBufferPointer, _ count: inout Int
    ) -> InflateStream.Pause {
        if room.isEmpty { return .outputFull }
        // igzip counts bytes in 32 bits, so it gets at most 1 GiB of the output buffer at once. It never writes to its
        // input, although it declares the input as mutable.
        let data = input.bytes
        let roomCount = min(room.count, 1 << 30)
        let block = state.pointee.block_state
        state.pointee.next_in = UnsafeMutablePointer(mutating: data.baseAddress?.assumingMemoryBound(to: UInt8.self))
        state.pointee.avail_in = UInt32(data.count)
        state.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        state.pointee.avail_out = UInt32(roomCount)
        let status = tw_isal_inflate(state)
        // After damage, igzip's count of the remaining input may wrap around to a number that is larger than the input.
        let left = Int(state.pointee.avail_in)
        let made = roomCount - Int(state.pointee.avail_out)
        count += made
        guard status == ISAL_DECOMP_OK, left <= data.count else { return .damaged }
        input.pass(to: input.bits.position + 8 * (data.count - left))
        if state.pointee.block_state == ISAL_BLOCK_FINISH {
            return .complete
        }
        if made == roomCount { return .outputFull }
        if left == 0 { return .endOfInput }
        // If igzip had input and room but made no progress, another call would make none either, so the data are
        // damaged.
        return left == data.count && made == 0 && state.pointee.block_state == block ? .damaged : .outputFull
    }
}
