/// Codes are stored from the highest bit of each byte down, as in TIFF.
enum LZWHighBitsFirst: LZWBitOrder {
    @inline(__always)
    static func adding(_ word: UInt64, to bits: UInt64, behind count: Int) -> UInt64 {
        bits | word.byteSwapped &>> UInt64(truncatingIfNeeded: count)
    }

    @inline(__always)
    static func code(_ bits: UInt64, width: Int) -> Int {
        Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- width))
    }

    @inline(__always)
    static func rest(_ bits: UInt64, width: Int) -> UInt64 { bits &<< UInt64(truncatingIfNeeded: width) }
}
