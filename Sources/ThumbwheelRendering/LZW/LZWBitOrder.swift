/// The order in which codes lie in bytes.
///
/// Bits that were read and not used wait in a number of 64 bits, at the end where the next code is taken from. Beyond those
/// that count there may be others, if they are the ones that come next.
protocol LZWBitOrder {
    /// Adds a word, whose first byte in memory is its lowest, behind `count` bits.
    static func adding(_ word: UInt64, to bits: UInt64, behind count: Int) -> UInt64
    /// The next code.
    static func code(_ bits: UInt64, width: Int) -> Int
    /// What follows the next code.
    static func rest(_ bits: UInt64, width: Int) -> UInt64
}
