/// Inflates deflate blocks (RFC 1951) by lanes, which suits data with many literal bytes, such as photographs with noise.
final class InflateBlocks {
    private enum Part {
        /// The beginning of a block is next.
        case block
        /// So many bytes of a stored block are left.
        case stored(Int)
        /// The symbols of a block are next.
        case symbols
        case end
        case damage
    }

    /// Blocks have at least so many literals for each match while lanes are the faster way.
    private static let literalsPerMatch = 5

    private let codes = InflateCodes()
    private let output = InflateOutput()
    private var part = Part.block
    private var isLastBlock = false
    // The number of bits of the symbols of this block up to now, and of the block before.
    private var bitCount = 0
    private var lastBitCount = 0
    private var counts = (literals: 0, matches: 0)

    /// Whether lanes are not the faster way for these data, and the next block begins, so that it can be left to igzip.
    var isSlow: Bool {
        if case .block = part { counts.matches * Self.literalsPerMatch > counts.literals } else { false }
    }

    /// The last bytes that were written, as far back as a match reaches.
    var lastBytes: UnsafeRawBufferPointer { output.lastBytes }

    /// Inflates until the input is used up, the buffer is full, the data end, or `isSlow`.
    ///
    /// - Parameters:
    ///   - mayGrow: whether the input may be refilled before it is used up. Lanes need many bytes at once.
    ///   - count: the number of bytes of the buffer that have been written; is raised.
    /// - Returns: nil if `isSlow`.
    func inflate(
        _ input: InflateInput, mayGrow: Bool, into room: UnsafeMutableRawBufferPointer, after count: inout Int
    ) -> InflateStream.Pause? {
        while true {
            guard output.write(into: room, after: &count) else {
                part = .damage
                return .damaged
            }
            if output.isPending { return .room }
            switch part {
            case .end: return .complete
            case .damage: return .damaged
            case .block where isSlow: return nil
            case _ where count == room.count: return .room
            case .stored(let left):
                let target = UnsafeMutableRawBufferPointer(rebasing: room[count...].prefix(left))
                let copied = input.copy(to: target)
                count += copied
                part = copied == left ? afterBlock : .stored(left - copied)
                if copied == 0, left > 0 { return .input }
            case .block:
                guard beginBlock(input) else { return .input }
            case .symbols where mayGrow && input.isLow: return .input
            case .symbols:
                guard takeSymbols(input) else { return .input }
            }
        }
    }

    /// Leaves a buffer that is full.
    func keep(_ bytes: UnsafeRawBufferPointer) { output.keep(bytes) }

    private var afterBlock: Part { isLastBlock ? .end : .block }

    /// Reads the beginning of a block; false if some of it is missing, and nothing was read.
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
            case .input: return false
            case .damaged: part = .damage
            }
        default: part = .damage
        }
        input.pass(to: bits.position)
        return true
    }

    /// Decodes the next symbols; false if there are none whose bits are all there.
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
