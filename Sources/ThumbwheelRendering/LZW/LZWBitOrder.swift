/// The order in which the bits of codes are packed into bytes.
///
/// Bits that were read but not used yet wait in a 64-bit number, at the end from which the next code is taken. Behind the
/// valid bits there may be others, if they are the bits that come next.
protocol LZWBitOrder {
    /// Adds a word, whose first byte in memory is its lowest, to the waiting bits, behind `count` valid ones.
    static func adding(_ word: UInt64, to bits: UInt64, behind count: Int) -> UInt64
    /// Returns the next code.
    static func code(_ bits: UInt64, width: Int) -> Int
    /// Returns the bits that remain behind the next code.
    static func rest(_ bits: UInt64, width: Int) -> UInt64
}
