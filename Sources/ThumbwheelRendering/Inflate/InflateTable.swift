/// The decoding table of a prefix code of deflate (RFC 1951, 3.2.2). The table is indexed by the next bits of the data.
///
/// The primary entries, which come first, are indexed by the next `primaryBitCount` bits. If a code is longer, its
/// primary entry is a link to a second table, which is indexed by the bits that follow. Second tables lie after the
/// primary entries.
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
    ///   - lengths: for each symbol, the length of its code in bits, from 1 to `longestCode`; 0 for a symbol without a
    ///     code.
    ///   - allowsFew: whether the code may be incomplete, with no symbol or with one symbol, whose code has one bit.
    ///     Any other code must be complete: each sequence of bits begins with some symbol's code.
    ///   - meanings: for each symbol, its entry, into which this function fills the length of its code.
    /// - Returns: false if the lengths are not those of a prefix code: there are too many codes, or too few.
    func make(_ lengths: UnsafeBufferPointer<UInt8>, allowsFew: Bool, meanings: UnsafePointer<InflateEntry>) -> Bool {
        precondition(lengths.count <= Self.mostSymbols)
        // `counts` holds the number of codes of each length. `places` holds the index of each length's first code, if
        // all codes are sorted.
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

    /// Fills the table with the entries of a complete code, or of a single code of one bit.
    ///
    /// - Parameters:
    ///   - symbols: the symbols in the order of their codes.
    ///   - counts: the number of symbols by the length of their codes.
    ///   - longest: the length of the longest code in bits.
    private func fill(
        _ symbols: UnsafePointer<UInt16>, _ counts: InlineArray<16, Int>, longest: Int,
        _ meanings: UnsafePointer<InflateEntry>
    ) {
        var symbol = symbols
        // The current code, with its bits in reverse order. A code is stored from its highest bit on, and the index of
        // a table has the first bit of the data as its lowest bit.
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

    /// Doubles the number of filled entries by copying them. The copies differ from the originals in the bit after the
    /// code, which does not change a code's meaning.
    private func double(_ size: inout Int) {
        (memory + size).update(from: memory, count: size)
        size *= 2
    }

    /// The number of bits that index a second table. The table holds all codes whose first `primaryBitCount` bits are
    /// those of the next code.
    ///
    /// - Parameters:
    ///   - length: the length of the next code in bits.
    ///   - left: the number of codes of that length that are left, including the next code.
    private func bitCount(ofSecondFor length: Int, left: Int, _ counts: InlineArray<16, Int>) -> Int {
        var bitCount = length - primaryBitCount
        var used = left
        while used < 1 << bitCount, primaryBitCount + bitCount < Self.longestCode {
            bitCount += 1
            used = used << 1 + counts[primaryBitCount + bitCount]
        }
        return bitCount
    }

    /// The code that follows `code`. Both have their bits in reverse order, so a carry runs from the highest bit to the
    /// lowest.
    private static func next(_ code: Int, length: Int) -> Int {
        let zeros = ~code & (1 << length - 1)
        guard zeros > 0 else { return 0 }
        let carry = 1 << (Int.bitWidth - 1 - zeros.leadingZeroBitCount)
        return code & (carry - 1) | carry
    }
}
