/// Lookup tables over the next bits of one of several scans, whose codes mean other things than a single scan's.
///
/// An entry says how many bits it swallows (bits 0–7), how many coefficients it passes (8–15) and the last one's value
/// (16–31, signed, at the scan's point transform). `ends` more are passed where it swallows the end of the block; `escape`
/// means that extra bits are missing: only the code is swallowed, and its symbol stands in place of the value. A length of 0
/// means that the code is longer, or that there is none.
final class MultiScanTable: Sendable {
    static let bits = 10
    static let ends = 128
    static let escape = 192
    /// Bits that an entry of `runs` swallows at most: three times as many are in hand after a refill.
    private static let longestRun = 18

    /// What the codes are for (ITU-T T.81, F.1.2 and G.1.2).
    enum Purpose {
        case differences
        /// Coefficients that are sent at once, in a sequential scan: every zero size but that of a run of 16 ends the block.
        case coefficients
        /// The first bits of coefficients; ends of blocks come in runs.
        case firstBits
        /// The next bit of coefficients. An entry passes zeros, and says what the one after them becomes.
        case nextBit
    }

    let code: HuffmanCode
    private let isSequential: Bool
    // Both are written only inside `init`, before anyone else can hold the object.
    /// `1 << bits` entries.
    nonisolated(unsafe) let entries: UnsafeMutablePointer<UInt32>
    /// As many codes as there are, for coefficients that nobody wants: in place of a value, from bit 16 on, a bit for each
    /// coefficient passed, set where it is not zero. Nil where the codes are for something else.
    nonisolated(unsafe) let runs: UnsafeMutablePointer<UInt64>?

    private typealias Symbol = HuffmanCode.Symbol

    /// What makes a coefficient of the bits that are known.
    struct PointTransform {
        /// How many of the lowest bits are missing.
        let low: Int
        /// What is added for bits that will stay unknown.
        let half: Int

        @inline(__always) func apply(_ value: Int) -> Int {
            value &<< low &+ (value > 0 ? half : value < 0 ? 0 &- half : 0)
        }
    }

    let transform: PointTransform

    /// - Parameter isRefined: whether the missing bits will come; otherwise values are put in the middle of what they may be.
    init(_ code: HuffmanCode, for purpose: Purpose, low: Int, isRefined: Bool = true) {
        self.code = code
        transform = PointTransform(low: low, half: isRefined ? 0 : (1 << low - 1) / 2)
        let count = 1 << Self.bits
        entries = .allocate(capacity: count)
        let symbols = code.symbols(ofLengthUpTo: Self.bits)
        let hasRuns = purpose == .coefficients || purpose == .firstBits
        runs = hasRuns ? .allocate(capacity: count) : nil
        isSequential = purpose == .coefficients
        for index in 0..<count {
            let entry =
                switch purpose {
                case .differences: Self.difference(at: index, symbols)
                case .coefficients, .firstBits:
                    coefficient(at: index, symbols)
                case .nextBit: Self.refinement(at: index, symbols, low: low)
                }
            (entries + index).initialize(to: entry)
            if let runs { (runs + index).initialize(to: Self.run(at: index, symbols, isSequential: isSequential)) }
        }
    }

    /// A table of no code at all.
    static let empty: MultiScanTable? = HuffmanCode(definition: Array(repeating: 0, count: 16)).map {
        MultiScanTable($0, for: .differences, low: 0)
    }

    deinit {
        entries.deallocate()
        runs?.deallocate()
    }

    private static func entry(length: Int, advance: Int, value: Int) -> UInt32 {
        UInt32(length) | UInt32(advance) << 8 | UInt32(UInt16(truncatingIfNeeded: value)) << 16
    }

    /// The symbol that begins at a place within the bits; a length of 0 where it does not end within them.
    private static func symbol(at place: Int, of index: Int, _ symbols: [Symbol]) -> Symbol {
        let found = symbols[index << place & (1 << bits - 1)]
        return place + found.length <= bits ? found : (0, 0)
    }

    private static func value(at place: Int, size: Int, of index: Int) -> Int? {
        guard place + size <= bits else { return nil }
        return HuffmanCode.extended(index >> (bits - place - size) & (1 << size - 1), size: size)
    }

    private static func difference(at index: Int, _ symbols: [Symbol]) -> UInt32 {
        let (size, length) = symbols[index]
        guard length > 0, size <= 15 else { return entry(length: 0, advance: escape, value: 0) }
        guard let value = value(at: length, size: size, of: index) else {
            return entry(length: length, advance: escape, value: size)
        }
        return entry(length: length + size, advance: 1, value: value)
    }

    private func coefficient(at index: Int, _ symbols: [Symbol]) -> UInt32 {
        let (symbol, length) = symbols[index]
        let (run, size) = (symbol >> 4, symbol & 15)
        if length > 0, size == 0, run == 15 { return Self.entry(length: length, advance: 16, value: 0) }
        // The place after an end is passed too, so that storing the coefficient that it does not have does no harm.
        if length > 0, size == 0, run == 0 || isSequential {
            return Self.entry(length: length, advance: Self.ends + 1, value: 0)
        }
        guard length > 0, size > 0, let value = Self.value(at: length, size: size, of: index) else {
            return Self.entry(length: length, advance: Self.escape, value: symbol)
        }
        let next = Self.symbol(at: length + size, of: index, symbols)
        let isEnd = next.length > 0 && (next.value == 0 || isSequential && next.value & 15 == 0 && next.value != 0xF0)
        return Self.entry(
            length: length + size + (isEnd ? next.length : 0), advance: run + 1 + (isEnd ? Self.ends : 0),
            value: transform.apply(value))
    }

    /// Extra bits need not be seen to be passed, so an entry may swallow more bits than it looks at.
    private static func run(at index: Int, _ symbols: [Symbol], isSequential: Bool) -> UInt64 {
        var place = 0
        var passed = 0
        var marks: UInt64 = 0
        while place < bits {
            let (symbol, length) = Self.symbol(at: place, of: index, symbols)
            let (run, size) = (symbol >> 4, symbol & 15)
            if length == 0 { break }
            if size == 0, run < 15 {
                guard run == 0 || isSequential else { break }
                return UInt64(place + length) | UInt64(ends + max(1, passed)) << 8 | marks << 16
            }
            guard passed + run + 1 < 48, place + length + size <= longestRun else { break }
            place += length + size
            passed += run + 1
            if size > 0 { marks |= 1 << UInt64(passed - 1) }
        }
        if place > 0 { return UInt64(place) | UInt64(passed) << 8 | marks << 16 }
        let (symbol, length) = symbols[index]
        return UInt64(length) | UInt64(escape) << 8 | UInt64(symbol) << 16
    }

    private static func refinement(at index: Int, _ symbols: [Symbol], low: Int) -> UInt32 {
        let (symbol, length) = symbols[index]
        let (run, size) = (symbol >> 4, symbol & 15)
        guard length > 0, size > 0, length < bits else { return entry(length: length, advance: escape, value: symbol) }
        let isPositive = index >> (bits - length - 1) & 1 == 1
        return entry(length: length + 1, advance: run, value: isPositive ? 1 << low : -1 << low)
    }
}
