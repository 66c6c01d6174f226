/// A zlib stream (RFC 1950), inflated one buffer at a time. It is begun with lanes (`InflateBlocks`), and left to igzip as
/// soon as that is faster.
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
    }

    private enum Part {
        case header
        case blocks(InflateBlocks)
        case library(InflateLibrary)
        /// So many bytes of the checksum are left.
        case checksum(Int)
        case end(Pause)
    }

    private let input = InflateInput()
    private var part = Part.header

    /// Inflates data until the input is used up or the output buffer is full.
    ///
    /// A buffer must be filled by one call after the other, until a call returns `.room`. The next call may have another.
    ///
    /// - Parameters:
    ///   - compressed: the compressed bytes; those that were taken are removed from its front.
    ///   - hasMore: whether more compressed bytes can be had. While this is the case, some of those that were taken are
    ///     kept back.
    ///   - room: the output buffer, which must not be empty.
    ///   - count: the number of bytes of the buffer that were written by the calls before; is raised.
    /// - Returns: the reason for the return. After the end of the stream or damage, further calls return the same reason.
    func inflate(
        _ compressed: inout UnsafeRawBufferPointer, hasMore: Bool, into room: UnsafeMutableRawBufferPointer,
        after count: inout Int
    ) -> Pause {
        while true {
            input.refill(from: &compressed)
            let mayGrow = hasMore || !compressed.isEmpty
            guard let pause = advance(into: room, after: &count, mayGrow: mayGrow) else { continue }
            if pause == .input, !compressed.isEmpty { continue }
            if pause == .room, case .blocks(let blocks) = part { blocks.keep(UnsafeRawBufferPointer(room)) }
            return pause
        }
    }

    /// The number of bytes behind the end of the stream that were taken.
    var excessByteCount: Int { input.bytes.count }

    /// Goes on with the part of the stream that is next.
    ///
    /// - Parameters:
    ///   - count: the number of bytes of the buffer that have been written; is raised.
    ///   - mayGrow: whether the input may be refilled before it is used up.
    /// - Returns: nil if that part has ended.
    private func advance(
        into room: UnsafeMutableRawBufferPointer, after count: inout Int, mayGrow: Bool
    ) -> Pause? {
        switch part {
        case .header: return readHeader()
        case .blocks(let blocks):
            if let pause = blocks.inflate(input, mayGrow: mayGrow, into: room, after: &count) {
                return leave(pause, checksum: 4)
            }
            blocks.keep(UnsafeRawBufferPointer(rebasing: room[..<count]))
            part = .library(InflateLibrary(input, after: blocks.lastBytes))
            return nil
        case .library(let library):
            let pause = library.inflate(input, mayGrow: mayGrow, into: room, after: &count)
            return leave(pause, checksum: max(0, 4 - library.excessByteCount))
        case .checksum(let byteCount):
            var bits = input.bits
            bits.passToByte()
            guard bits.left >= 8 * byteCount else { return .input }
            bits.pass(8 * byteCount)
            input.pass(to: bits.position)
            part = .end(.complete)
            return nil
        case .end(let pause): return pause
        }
    }

    private func readHeader() -> Pause? {
        var bits = input.bits
        guard bits.left >= 16 else { return .input }
        let (method, flags) = (bits.take(8), bits.take(8))
        // Deflate is the only valid method, and a stream may not refer to a dictionary, because none is known.
        let isValid =
            (method << 8 | flags) % 31 == 0 && method & 0x0F == 8 && method >> 4 <= 7 && flags & 0x20 == 0
        input.pass(to: bits.position)
        part = isValid ? .blocks(InflateBlocks()) : .end(.damaged)
        return nil
    }

    /// Returns the reason for which the data are left, or nil if their checksum follows.
    private func leave(_ pause: Pause, checksum byteCount: Int) -> Pause? {
        switch pause {
        case .input, .room: return pause
        case .damaged: part = .end(.damaged)
        case .complete: part = .checksum(byteCount)
        }
        return nil
    }
}
