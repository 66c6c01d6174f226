/// A zlib stream (RFC 1950), inflated one buffer at a time. The beginning is inflated by `InflateBlocks`, which decodes
/// several parts of a block at the same time. As soon as the data suit the library igzip (`IgzipInflater`) better,
/// igzip inflates all that follows.
///
/// The stream must end with its checksum, but the value of the checksum is not verified. In a PNG, the checksums of the
/// chunks protect the data already.
final class InflateStream {
    /// The reason for which a call of `inflate` returned.
    enum Pause {
        /// All of the input is used up.
        case endOfInput
        /// The output buffer is full.
        case outputFull
        /// The stream has ended.
        case complete
        /// The data are not a zlib stream, or are damaged.
        case damaged
    }

    private enum Part {
        case header
        case blocks(InflateBlocks)
        case library(IgzipInflater)
        /// The checksum at the stream's end. The given number of its bytes has not been read yet.
        case checksum(Int)
        case end(Pause)
    }

    private let input = InflateInput()
    private var part = Part.header
    /// Whether igzip inflates the data: from the start, or from some block on.
    private(set) var isByLibrary: Bool

    /// - Parameter startsByLibrary: whether igzip inflates all data, because similar data have suited it better.
    init(startsByLibrary: Bool = false) {
        isByLibrary = startsByLibrary
    }

    /// Inflates data until the input is used up or the output buffer is full.
    ///
    /// Each call must pass the same output buffer as the call before it. Another buffer may be passed only if the call
    /// before has returned because its buffer was full.
    ///
    /// - Parameters:
    ///   - compressed: the compressed bytes. The bytes that this call takes are removed from the front.
    ///   - hasMore: whether a later call will bring more compressed bytes. If so, this call may take compressed bytes
    ///     that only the later call inflates.
    ///   - room: the output buffer, which must not be empty.
    ///   - count: the number of bytes in the output buffer that have been written. It is increased by the number of
    ///     bytes that this call writes.
    /// - Returns: the reason for the return. After the end of the stream or damage, further calls return the same
    ///   reason.
    func inflate(
        _ compressed: inout UnsafeRawBufferPointer, hasMore: Bool, into room: UnsafeMutableRawBufferPointer,
        after count: inout Int
    ) -> Pause {
        while true {
            input.refill(from: &compressed)
            let mayGrow = hasMore || !compressed.isEmpty
            guard let pause = advance(into: room, after: &count, mayGrow: mayGrow) else { continue }
            if pause == .endOfInput, !compressed.isEmpty { continue }
            if pause == .outputFull, case .blocks(let blocks) = part { blocks.keep(UnsafeRawBufferPointer(room)) }
            return pause
        }
    }

    /// The number of bytes that were taken although they lie after the end of the stream.
    var excessByteCount: Int { input.bytes.count }

    /// Continues with the current part of the stream: the header, the deflate data, or the checksum.
    ///
    /// - Parameters:
    ///   - count: the number of bytes in the output buffer that have been written. It is increased by the number of
    ///     bytes that this call writes.
    ///   - mayGrow: whether more input may follow.
    /// - Returns: the reason for a pause; nil if the next part of the stream can begin at once.
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
            part = .library(IgzipInflater(input, after: blocks.lastBytes))
            isByLibrary = true
            return nil
        case .library(let library):
            let pause = library.inflate(input, mayGrow: mayGrow, into: room, after: &count)
            return leave(pause, checksum: max(0, 4 - library.excessByteCount))
        case .checksum(let byteCount):
            var bits = input.bits
            bits.passToByte()
            guard bits.left >= 8 * byteCount else { return .endOfInput }
            bits.pass(8 * byteCount)
            input.pass(to: bits.position)
            part = .end(.complete)
            return nil
        case .end(let pause): return pause
        }
    }

    private func readHeader() -> Pause? {
        var bits = input.bits
        guard bits.left >= 16 else { return .endOfInput }
        let (method, flags) = (bits.take(8), bits.take(8))
        // Deflate is the only valid method, and a stream may not refer to a dictionary, because none is known.
        let isValid =
            (method << 8 | flags) % 31 == 0 && method & 0x0F == 8 && method >> 4 <= 7 && flags & 0x20 == 0
        input.pass(to: bits.position)
        if !isValid {
            part = .end(.damaged)
        } else if isByLibrary {
            part = .library(IgzipInflater(input, after: UnsafeRawBufferPointer(start: nil, count: 0)))
        } else {
            part = .blocks(InflateBlocks())
        }
        return nil
    }

    /// Continues after the decoder of the deflate data has stopped for the reason `pause`:
    /// - If the caller must supply input or another buffer, returns the pause.
    /// - If the deflate data have ended, lets the checksum follow, with `byteCount` bytes still to be read. Returns
    ///   nil.
    /// - If the deflate data are damaged, marks the stream as damaged, so that `inflate` returns `.damaged`. Returns
    ///   nil.
    private func leave(_ pause: Pause, checksum byteCount: Int) -> Pause? {
        switch pause {
        case .endOfInput, .outputFull: return pause
        case .damaged: part = .end(.damaged)
        case .complete: part = .checksum(byteCount)
        }
        return nil
    }
}
