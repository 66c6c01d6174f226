/// Inflates deflate blocks (RFC 1951) that have many literal bytes, such as those of photographs with noise. Several
/// decoders, called lanes, decode parts of the same block at the same time on one thread (see `InflateLanes`).
final class InflateBlocks {
    private enum Part {
        /// The header of a block comes next.
        case block
        /// The next bytes belong to a stored block (one without compression). The associated value is the number of
        /// bytes that are still to be copied.
        case stored(Int)
        /// The compressed symbols of a block come next.
        case symbols
        case end
        case damage
    }

    /// Lanes are faster than igzip (`IgzipInflater`) for data with at least this many literal bytes for each match.
    private static let literalsPerMatch = 5

    private let codes = InflateCodes()
    private let output = InflateOutput()
    private var part = Part.block
    private var isLastBlock = false
    // The number of bits of the data that have been decoded in the current block, not counting its header.
    private var bitCount = 0
    // The number of bits of the previous compressed block, not counting its header.
    private var lastBitCount = 0
    private var counts = (literals: 0, matches: 0)

    /// Whether another decoder, igzip, would inflate these data faster than this type. It can be true only before the
    /// header of a block, because igzip can take over only there.
    var isSlow: Bool {
        if case .block = part { counts.matches * Self.literalsPerMatch > counts.literals } else { false }
    }

    /// The end of the output that was passed to `keep`, at most 32 KiB: matches reach back no farther.
    var lastBytes: UnsafeRawBufferPointer { output.lastBytes }

    /// Inflates until the input is used up, the output buffer is full, the data end, or `isSlow` becomes true. In the
    /// last case, the caller continues with another decoder.
    ///
    /// - Parameters:
    ///   - mayGrow: whether more input may follow. If so, decoding pauses while there is still a little input, because
    ///     the decoders that work on a block at the same time (lanes) need much input at once.
    ///   - room: the output buffer.
    ///   - count: the number of bytes that have been written to the buffer. The call adds the number of bytes that it
    ///     writes.
    /// - Returns: the reason why decoding stopped; nil if `isSlow` is true.
    func inflate(
        _ input: InflateInput, mayGrow: Bool, into room: UnsafeMutableRawBufferPointer, after count: inout Int
    ) -> InflateStream.Pause? {
        while true {
            guard output.write(into: room, after: &count) else {
                part = .damage
                return .damaged
            }
            if output.isPending { return .outputFull }
            switch part {
            case .end: return .complete
            case .damage: return .damaged
            case .block where isSlow: return nil
            case _ where count == room.count: return .outputFull
            case .stored(let left):
                let target = UnsafeMutableRawBufferPointer(rebasing: room[count...].prefix(left))
                let copied = input.copy(to: target)
                count += copied
                part = copied == left ? afterBlock : .stored(left - copied)
                if copied == 0, left > 0 { return .endOfInput }
            case .block:
                guard beginBlock(input) else { return .endOfInput }
            case .symbols where mayGrow && input.isLow: return .endOfInput
            case .symbols:
                guard takeSymbols(input) else { return .endOfInput }
            }
        }
    }

    /// Copies the last bytes of a buffer before the caller uses it for something else, because later matches may repeat
    /// these bytes.
    func keep(_ bytes: UnsafeRawBufferPointer) { output.keep(bytes) }

    private var afterBlock: Part { isLastBlock ? .end : .block }

    /// Reads the header of a block. If some of its bits are not in the input yet, nothing is read, and the result is
    /// false.
    private func beginBlock(_ input: InflateInput) -> Bool {
        var bits = input.bits
        guard bits.left >= 3 else { return false }
        isLastBlock = bits.take(1) == 1
        switch bits.take(2) {
        case 0:
            bits.passToByte()
            guard bits.left >= 32 else { return false }
            let (length, complement) = (bits.take(16), bits.take(16))
            part = length ^ complement == 0xFFFF ? .stored(length) : .damage
        case 1:
            codes.useFixed()
            part = .symbols
        case 2:
            switch codes.read(&bits) {
            case .done: part = .symbols
            case .endOfInput: return false
            case .damaged: part = .damage
            }
        default: part = .damage
        }
        input.pass(to: bits.position)
        return true
    }

    /// Decodes the next symbols of the block with several lanes, which are decoders that work at the same time.
    ///
    /// - Returns: false if the input does not contain even one complete symbol.
    private func takeSymbols(_ input: InflateInput) -> Bool {
        let bits = input.bits
        let (position, state) = output.lanes.decode(bits, expected: max(0, lastBitCount - bitCount), codes)
        output.begin()
        for lane in 0..<output.lanes.count {
            counts.matches += output.lanes.matches(ofLane: lane).count - 1
            counts.literals += output.lanes.literalCount(ofLane: lane)
        }
        input.pass(to: position)
        bitCount += position - bits.position
        switch state {
        case .running: return position > bits.position
        case .ended:
            (lastBitCount, bitCount) = (bitCount, 0)
            part = afterBlock
        case .damaged: part = .damage
        }
        return true
    }
}
