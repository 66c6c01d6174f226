/// The decoding table of a prefix code of deflate (RFC 1951, 3.2.2). The table is indexed by the next bits of the data.
///
/// The primary entries, which come first, are indexed by the next `primaryBitCount` bits. If a code word is longer, its
/// primary entry is a link to a second table, which is indexed by the bits that follow. Second tables lie after the
/// primary entries.
struct InflateTable: ~Copyable {
    static let longestCode = 15
    private static let symbolLimit = 288

    private let primaryBitCount: Int
    private let capacity: Int
    private let memory: UnsafeMutablePointer<InflateEntry>

    /// Makes a table without valid entries.
    ///
    /// - Parameter capacity: the largest number of entries that any code can need, in the primary table and all second
    ///   tables together.
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

    /// Fills the table for a prefix code (Huffman code), which assigns a code word to each symbol.
    ///
    /// - Parameters:
    ///   - lengths: for each symbol, the length of its code word in bits, from 1 to `longestCode`; 0 for a symbol
    ///     without a code word.
    ///   - allowsFew: whether the code may be incomplete. An incomplete code has no code word, or a single code word of
    ///     one bit. In a complete code, every sequence of bits begins with a code word.
    ///   - meanings: for each symbol, its entry without the length of the code word. This function adds that length.
    /// - Returns: false if no prefix code has these lengths: there are too many code words, or too few.
    func make(_ lengths: UnsafeBufferPointer<UInt8>, allowsFew: Bool, meanings: UnsafePointer<InflateEntry>) -> Bool {
        precondition(lengths.count <= Self.symbolLimit)
        // The number of code words of each length.
        var counts = InlineArray<16, Int>(repeating: 0)
        // For each length, the place in the list `symbols` at which the next symbol with a code word of that length is
        // entered. The list is sorted by length.
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
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.symbolLimit) { symbols in
            for (symbol, length) in lengths.enumerated() where length > 0 {
                symbols[places[Int(length)]] = UInt16(truncatingIfNeeded: symbol)
                places[Int(length)] += 1
            }
            fill(UnsafePointer(symbols.baseAddress!), counts, longest: longest, meanings)
            return true
        }
    }

    /// Fills the table with the entries of a complete code, or of a code with a single code word of one bit.
    ///
    /// - Parameters:
    ///   - symbols: the symbols, in the order of their code words.
    ///   - counts: for each length, the number of code words of that length.
    ///   - longest: the length of the longest code word in bits.
    private func fill(
        _ symbols: UnsafePointer<UInt16>, _ counts: InlineArray<16, Int>, longest: Int,
        _ meanings: UnsafePointer<InflateEntry>
    ) {
        var symbol = symbols
        // The current code word, with its bits in reverse order. The data begin with the highest bit of a code word,
        // but the first bit of the data is the lowest bit of an index into the table.
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

    /// Doubles the filled part of the table. The index becomes one bit longer, and the new half of the table is a copy
    /// of the old half. All code words entered so far are at most as long as the old index, so their entries do not
    /// depend on its new highest bit.
    private func double(_ size: inout Int) {
        (memory + size).update(from: memory, count: size)
        size *= 2
    }

    /// Returns the number of bits that index the second table for the code word that is entered next. A second table
    /// holds all code words that are longer than `primaryBitCount` bits and begin with the same `primaryBitCount` bits.
    ///
    /// - Parameters:
    ///   - length: the length in bits of the code word that is entered next.
    ///   - left: the number of code words of that length that are left, including the one that is entered next.
    private func bitCount(ofSecondFor length: Int, left: Int, _ counts: InlineArray<16, Int>) -> Int {
        var bitCount = length - primaryBitCount
        var used = left
        while used < 1 << bitCount, primaryBitCount + bitCount < Self.longestCode {
            bitCount += 1
            used = used << 1 + counts[primaryBitCount + bitCount]
        }
        return bitCount
    }

    /// Returns the code word that is higher by 1 and has the same length. In this table, code words have their bits in
    /// reverse order, so the carry runs from the highest bit to the lowest.
    private static func next(_ code: Int, length: Int) -> Int {
        let zeros = ~code & (1 << length - 1)
        guard zeros > 0 else { return 0 }
        let carry = 1 << (Int.bitWidth - 1 - zeros.leadingZeroBitCount)
        return code & (carry - 1) | carry
    }
}
