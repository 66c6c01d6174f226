/// A prefix code of deflate (RFC 1951, 3.2.2), as a table that is indexed by the next bits of the data.
///
/// The first entries, the primary ones, are indexed by `primaryBitCount` bits. Longer codes lie in second tables behind them,
/// to which a primary entry links.
struct InflateTable: ~Copyable {
    static let longestCode = 15
    private static let mostSymbols = 288

    private let primaryBitCount: Int
    private let capacity: Int
    private let memory: UnsafeMutablePointer<InflateEntry>

    /// - Parameter capacity: the largest number of entries that a code of the given size can need.
    init(primaryBitCount: Int, capacity: Int) {
        self.primaryBitCount = primaryBitCount
        self.capacity = capacity
        memory = .allocate(capacity: capacity)
        memory.initialize(repeating: .invalid, count: capacity)
    }

    deinit {
        memory.deallocate()
    }

    var entries: UnsafePointer<InflateEntry> { UnsafePointer(memory) }

    /// Fills the table for one set of prefix codes (Huffman codes).
    ///
    /// - Parameters:
    ///   - lengths: for each symbol, the length of its code in bits, from 1 to `longestCode`; 0 for a symbol without a code.
    ///   - allowsFew: whether no symbol may have a code, or only one symbol, with a code of one bit. In every other
    ///     case each sequence of bits must begin with some symbol's code.
    ///   - meanings: for each symbol, the entry of the table without the length of the code, which is added here.
    /// - Returns: false if the lengths are not those of a prefix code: there are too many codes, or too few.
    func make(_ lengths: UnsafeBufferPointer<UInt8>, allowsFew: Bool, meanings: UnsafePointer<InflateEntry>) -> Bool {
        precondition(lengths.count <= Self.mostSymbols)
        // The number of symbols by length (`counts`), and the place of each length's first symbol in the order of codes.
        var counts = InlineArray<16, Int>(repeating: 0)
        var places = InlineArray<17, Int>(repeating: 0)
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var (left, longest) = (1, 0)
        for length in 1...Self.longestCode {
            left = left << 1 - counts[length]
            guard left >= 0 else { return false }
            if counts[length] > 0 { longest = length }
            places[length + 1] = places[length] + counts[length]
        }
        if left > 0 {
            guard allowsFew, longest <= 1 else { return false }
            memory.update(repeating: .invalid, count: 1 << primaryBitCount)
            if longest == 0 { return true }
        }
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.mostSymbols) { symbols in
            for (symbol, length) in lengths.enumerated() where length > 0 {
                symbols[places[Int(length)]] = UInt16(truncatingIfNeeded: symbol)
                places[Int(length)] += 1
            }
            fill(UnsafePointer(symbols.baseAddress!), counts, longest: longest, meanings)
            return true
        }
    }

    /// Fills the table.
    ///
    /// - Parameters:
    ///   - symbols: the symbols in the order of their codes.
    ///   - counts: the number of symbols by the length of their codes.
    private func fill(
        _ symbols: UnsafePointer<UInt16>, _ counts: InlineArray<16, Int>, longest: Int,
        _ meanings: UnsafePointer<InflateEntry>
    ) {
        var symbol = symbols
        // Codes are stored from their highest bit on, and data are read from their lowest. So this is the code with its bits
        // in reverse order.
        var code = 0
        var size = 1
        var second = (prefix: -1, start: 0, end: 1 << primaryBitCount)
        for length in 1...longest {
            if length <= primaryBitCount { double(&size) }
            var left = counts[length]
            while left > 0 {
                let entry = meanings[Int(symbol.pointee)].with(codeBitCount: length)
                if length <= primaryBitCount {
                    memory[code] = entry
                } else {
                    let prefix = code & (1 << primaryBitCount - 1)
                    if prefix != second.prefix {
                        let bitCount = bitCount(ofSecondFor: length, left: left, counts)
                        second = (prefix, second.end, second.end + 1 << bitCount)
                        precondition(second.end <= capacity)
                        memory[prefix] = .link(to: second.start, bitCount: bitCount)
                    }
                    let step = 1 << (length - primaryBitCount)
                    for place in stride(from: second.start + code >> primaryBitCount, to: second.end, by: step) {
                        memory[place] = entry
                    }
                }
                code = Self.next(code, length: length)
                symbol += 1
                left -= 1
            }
        }
        while size < 1 << primaryBitCount { double(&size) }
    }

    /// Repeats the entries made so far: a code means the same whatever the bit behind it is.
    private func double(_ size: inout Int) {
        (memory + size).update(from: memory, count: size)
        size *= 2
    }

    /// The number of bits that index the second table for the codes that begin with the same bits as the next one.
    ///
    /// - Parameter left: the number of codes of that length that are left, the next one included.
    private func bitCount(ofSecondFor length: Int, left: Int, _ counts: InlineArray<16, Int>) -> Int {
        var bitCount = length - primaryBitCount
        var used = left
        while used < 1 << bitCount, primaryBitCount + bitCount < Self.longestCode {
            bitCount += 1
            used = used << 1 + counts[primaryBitCount + bitCount]
        }
        return bitCount
    }

    /// The code after a code, with its bits in reverse order: a carry runs from the highest bit to the lowest.
    private static func next(_ code: Int, length: Int) -> Int {
        let zeros = ~code & (1 << length - 1)
        guard zeros > 0 else { return 0 }
        let carry = 1 << (Int.bitWidth - 1 - zeros.leadingZeroBitCount)
        return code & (carry - 1) | carry
    }
}
