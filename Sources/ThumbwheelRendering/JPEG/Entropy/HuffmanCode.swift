/// A Huffman code as a JPEG defines it: the number of codes of each length, and their symbols in order (ITU-T T.81,
/// annex C and F.2.2.3).
///
/// It can decode one symbol at a time. Most symbols are decoded by lookup tables, which are made from this code.
struct HuffmanCode {
    /// The code's definition: the counts for the lengths from 1 to 16, then the symbols.
    let definition: [UInt8]
    // For each length, an upper bound for the next 16 bits of the data, taken as a number. If the number is below the
    // bound, the bits begin with a code of at most this length.
    private let limits: [Int]
    // For each length, the number that must be added to a code of that length to get the index of its symbol.
    private let offsets: [Int]

    /// Makes the code from its definition.
    ///
    /// - Returns: nil if the counts and symbols do not form a code.
    init?(definition: [UInt8]) {
        let total = definition.prefix(16).reduce(0) { $0 + Int($1) }
        guard definition.count >= 16, total <= 256, definition.count == 16 + total else { return nil }
        var limits = [0]
        var offsets = [0]
        var code = 0
        var index = 0
        for length in 1...16 {
            let count = Int(definition[length - 1])
            offsets.append(index - code)
            code += count
            index += count
            guard code <= 1 << length else { return nil }
            limits.append(code << (16 - length))
            code <<= 1
        }
        self.definition = definition
        self.limits = limits
        self.offsets = offsets
    }

    /// Finds the symbol whose code is at the top of 16 bits, and the code's length; nil if no code matches.
    func symbol(at bits: Int) -> Symbol? {
        for length in 1...16 where bits < limits[length] {
            return (Int(definition[16 + (bits >> (16 - length)) + offsets[length]]), length)
        }
        return nil
    }
}

extension HuffmanCode {
    /// A result of looking up the first bits of some data: the symbol whose code these bits begin with, and the length
    /// of this code. The length is 0 if the bits are too few for the code, or match no code.
    typealias Symbol = (value: Int, length: Int)

    /// Returns, for each possible sequence of `bits` bits, the symbol with whose code the sequence begins. The
    /// sequence, taken as a number, is the index in the result.
    func symbols(ofLengthUpTo bits: Int) -> [Symbol] {
        var symbols = [Symbol](repeating: (0, 0), count: 1 << bits)
        var index = 0
        var place = 16
        for length in 1...bits {
            let share = 1 << (bits - length)
            for _ in 0..<definition[length - 1] {
                for entry in index..<index + share { symbols[entry] = (Int(definition[place]), length) }
                index += share
                place += 1
            }
        }
        return symbols
    }

    /// Computes a coefficient or a DC difference from its `size` extra bits (T.81, F.2.2.1: EXTEND).
    @inline(__always) static func extended(_ bits: Int, size: Int) -> Int {
        size > 0 && bits &>> (size &- 1) == 0 ? bits &- 1 &<< size &+ 1 : bits
    }

    /// The codes of T.81, annex K.3, which are used if a file defines none, as in motion JPEG.
    ///
    /// - Parameter slot: 0 for luminance, 1 for chrominance.
    static func standard(isAC: Bool, slot: Int) -> HuffmanCode? {
        switch (isAC, slot) {
        case (false, 0): HuffmanCode(definition: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0] + (0...11))
        case (false, 1): HuffmanCode(definition: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0] + (0...11))
        case (true, 0): HuffmanCode(definition: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D] + luminanceAC)
        case (true, 1): HuffmanCode(definition: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77] + chrominanceAC)
        default: nil
        }
    }

    private static let luminanceAC = completed([
        0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
        0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72,
        0x82, 0x09, 0x0A,
    ])

    private static let chrominanceAC = completed([
        0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
        0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1,
        0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1,
    ])

    /// Appends to `head` all other symbols that have 1 to 10 extra bits, in rising order. Both standard tables of AC
    /// symbols end with such a list.
    private static func completed(_ head: [UInt8]) -> [UInt8] {
        head + (0x01...0xFA).filter { (1...10).contains($0 & 15) && !head.contains($0) }
    }
}
