/// Lookup tables for a Huffman code of one scan in a file with several scans, indexed by the next 10 bits of the data.
/// In such a scan, codes may have other meanings than in a file with a single scan.
///
/// A table entry contains three numbers:
/// - Bits 0–7: the number of bits that the entry consumes. If it is 0, the code is longer than 10 bits, or no code
///   matches.
/// - Bits 8–15: the number of coefficients by which the entry advances. If the entry also consumes the end of the
///   block, `ends` is added to this number. If the entry contains no complete value, the number is `escape`, and the
///   entry consumes only the code.
/// - Bits 16–31: the signed value of the coefficient that the entry reaches. The low bits that the scan lacks are
///   filled in by `PointTransform`, except in DC differences. For `escape`, bits 16–31 contain the code's symbol.
final class MultiScanTable: Sendable {
    static let bits = 10
    static let ends = 128
    static let escape = 192
    /// The largest number of bits that an entry of the table `runs` consumes. A refill of the bit reader provides
    /// enough bits for three such entries.
    private static let longestRun = 18

    /// The kind of data that a table's codes stand for (ITU-T T.81, F.1.2 and G.1.2).
    enum Purpose {
        case differences
        /// Whole coefficients, in a sequential scan. A code without extra bits ends the block, unless the code stands
        /// for 16 zeros.
        case coefficients
        /// The first bits of AC coefficients, in a progressive scan. One code can say that many consecutive blocks have
        /// no further nonzero coefficients in this scan.
        case firstBits
        /// The next lower bit of coefficients, in a scan that refines earlier scans. A table entry contains the value
        /// of a coefficient that becomes nonzero in this scan. It also contains the number of coefficients that are
        /// skipped before it and stay zero.
        case nextBit
    }

    let code: HuffmanCode
    private let isSequential: Bool
    /// The table's `1 << bits` entries, indexed by the next bits of the data. The memory is written only inside `init`,
    /// before any other thread can have a reference to this object.
    nonisolated(unsafe) let entries: UnsafeMutablePointer<UInt32>
    /// The table with which unwanted coefficients are skipped. It is indexed by the next 10 bits of the data. One entry
    /// skips several coefficients whose codes lie completely within the 10 bits. From bit 16 on, the entry has one bit
    /// for each skipped coefficient, which is 1 if the coefficient is not zero.
    ///
    /// Nil for tables of DC differences and of refinements (scans that add low bits). Like `entries`, the memory is
    /// written only inside `init`.
    nonisolated(unsafe) let runs: UnsafeMutablePointer<UInt64>?

    private typealias Symbol = HuffmanCode.Symbol

    /// Computes the value of a coefficient from its bits in a scan. The scan may lack the lowest bits of the
    /// coefficient.
    struct PointTransform {
        /// How many of a coefficient's lowest bits are missing in the scan.
        let low: Int
        /// The number that is added to the magnitude of each nonzero coefficient, in place of the low bits that the
        /// scan lacks. If no later scan with these bits is read, the number is half of the largest value that these
        /// bits can have. If such a scan is read, the number is 0.
        let half: Int

        @inline(__always) func apply(_ value: Int) -> Int {
            value &<< low &+ (value > 0 ? half : value < 0 ? 0 &- half : 0)
        }
    }

    let transform: PointTransform

    /// Makes the tables of a Huffman code for one kind of data.
    ///
    /// - Parameters:
    ///   - low: how many of each coefficient's lowest bits are missing in the scan.
    ///   - isRefined: whether later scans with the missing bits are read. If not, a coefficient's value is set to the
    ///     middle of its possible range.
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

    /// The table of a code without any code words. No bits of the data match any of its entries.
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

    /// Reads the code that begins `place` bits below the top bit of `index`, a number of 10 bits, and returns its
    /// symbol. If the code does not end within the 10 bits, the returned length is 0.
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
        // An end of block counts as an advance by one coefficient, to which `ends` is added. The reason is that the
        // reader stores a value for every entry, in the coefficient to which the entry advances. For an end of block,
        // this is the value 0, which the next coefficient of the block has anyway. There always is a next coefficient:
        // after the last coefficient of a block, the data contain no end of block.
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

    /// Makes an entry of `runs`, the table with which unwanted coefficients are skipped. The table is indexed by the
    /// next 10 bits. Every code in an entry lies completely within the 10 bits. But the extra bits after the last code
    /// may lie beyond them, because the reader skips these bits without looking at them.
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
