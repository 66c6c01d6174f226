/// The order in which the bits of codes are stored in bytes.
///
/// Bits that were read and not used yet wait in a 64-bit number. The next code is in the lowest or in the highest bits
/// of that number, according to the order. Beyond its valid bits, the number has zeros or the bits that follow in the
/// stream.
protocol LZWBitOrder {
    /// Adds a word of input to the bits that wait to be decoded. The word is placed after the first `count` bits, which
    /// are valid. The lowest byte of the word is its first byte in memory.
    static func adding(_ word: UInt64, to bits: UInt64, behind count: Int) -> UInt64
    /// Returns the next code, which has `width` bits.
    static func code(_ bits: UInt64, width: Int) -> Int
    /// Removes the next code, which has `width` bits, and returns the bits after it.
    static func rest(_ bits: UInt64, width: Int) -> UInt64
}
