/// The two prefix codes of a deflate block: one for literal bytes, the lengths of matches and the end of the block, and
/// one for the distances of matches.
final class InflateCodes {
    /// The outcome of reading a block's codes.
    enum Reading {
        case done
        /// The input ends before the description of the codes does.
        case endOfInput
        case damaged
    }

    static let symbolBitCount = 11
    static let distanceBitCount = 8
    private static let symbolLimit = 286
    private static let distanceLimit = 30

    // Each capacity is the largest number of table entries that a code of 288, 32 or 19 symbols can need, as zlib's
    // program `enough` computes it.
    private let ofSymbols = InflateTable(primaryBitCount: symbolBitCount, capacity: 2342)
    private let ofDistances = InflateTable(primaryBitCount: distanceBitCount, capacity: 402)
    private let ofLengths = InflateTable(primaryBitCount: 7, capacity: 128)
    private var isFixed = false

    var symbols: UnsafePointer<InflateEntry> { ofSymbols.entries }
    var distances: UnsafePointer<InflateEntry> { ofDistances.entries }

    /// Uses the fixed codes, which are the same in all streams (RFC 1951, 3.2.6).
    func useFixed() {
        guard !isFixed else { return }
        isFixed = true
        let symbols = (0..<288).map { UInt8($0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8) }
        let isValid =
            symbols.withUnsafeBufferPointer {
                ofSymbols.make($0, allowsFew: false, meanings: InflateMeanings.symbols)
            }
            && [UInt8](repeating: 5, count: 32).withUnsafeBufferPointer {
                ofDistances.make($0, allowsFew: false, meanings: InflateMeanings.distances)
            }
        precondition(isValid)
    }

    /// Reads the description of a block's codes (RFC 1951, 3.2.7), and builds the tables of the codes.
    func read(_ bits: inout InflateBits) -> Reading {
        isFixed = false
        guard bits.left >= 14 else { return .endOfInput }
        let symbolCount = 257 + bits.take(5)
        let distanceCount = 1 + bits.take(5)
        let lengthCount = 4 + bits.take(4)
        guard symbolCount <= Self.symbolLimit, distanceCount <= Self.distanceLimit else { return .damaged }
        guard bits.left >= 3 * lengthCount else { return .endOfInput }
        // Makes room for all code lengths and for 138 more. The last code may be a repetition of up to 138 lengths,
        // which are stored before the number of all lengths is checked.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.symbolLimit + Self.distanceLimit + 138) {
            lengths in
            lengths.initialize(repeating: 0)
            for index in 0..<lengthCount { lengths[Self.lengthOrder[index]] = UInt8(bits.take(3)) }
            let isValid = ofLengths.make(
                UnsafeBufferPointer(rebasing: lengths[..<19]), allowsFew: false, meanings: InflateMeanings.lengths)
            guard isValid else { return .damaged }
            lengths[..<19].update(repeating: 0)
            switch read(symbolCount + distanceCount, into: lengths, &bits) {
            case .done: return make(lengths, symbolCount: symbolCount, distanceCount: distanceCount)
            case let other: return other
            }
        }
    }

    /// Reads the length of each symbol's code. The lengths are compressed: they have a prefix code of their own, in
    /// which some symbols stand for repetitions.
    private func read(
        _ count: Int, into lengths: UnsafeMutableBufferPointer<UInt8>, _ bits: inout InflateBits
    ) -> Reading {
        var index = 0
        while index < count {
            let word = bits.word
            let entry = ofLengths.entries[Int(word & 0x7F)]
            guard bits.left >= entry.bitCount else { return .endOfInput }
            bits.pass(entry.bitCount)
            let value = entry.sum(word)
            let repetitions = value & (InflateMeanings.repeatsLast - 1)
            if value & InflateMeanings.repeatsLast != 0 {
                guard index > 0 else { return .damaged }
                lengths[index..<index + repetitions].update(repeating: lengths[index - 1])
                index += repetitions
            } else if value & InflateMeanings.repeatsZero != 0 {
                index += repetitions
            } else {
                lengths[index] = UInt8(truncatingIfNeeded: value)
                index += 1
            }
        }
        return index == count ? .done : .damaged
    }

    private func make(
        _ lengths: UnsafeMutableBufferPointer<UInt8>, symbolCount: Int, distanceCount: Int
    ) -> Reading {
        // A block without a code for its end is damaged.
        let isValid =
            lengths[256] > 0
            && ofSymbols.make(
                UnsafeBufferPointer(rebasing: lengths[..<symbolCount]), allowsFew: true,
                meanings: InflateMeanings.symbols)
            && ofDistances.make(
                UnsafeBufferPointer(rebasing: lengths[symbolCount..<symbolCount + distanceCount]), allowsFew: true,
                meanings: InflateMeanings.distances)
        return isValid ? .done : .damaged
    }

    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
}
