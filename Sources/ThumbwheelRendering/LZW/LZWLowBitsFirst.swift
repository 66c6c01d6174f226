/// Codes are stored from the lowest bit of each byte up, as in GIF.
enum LZWLowBitsFirst: LZWBitOrder {
    @inline(__always)
    static func adding(_ word: UInt64, to bits: UInt64, behind count: Int) -> UInt64 {
        bits | word &<< UInt64(truncatingIfNeeded: count)
    }

    @inline(__always)
    static func code(_ bits: UInt64, width: Int) -> Int {
        Int(truncatingIfNeeded: bits & (1 &<< UInt64(truncatingIfNeeded: width) &- 1))
    }

    @inline(__always)
    static func rest(_ bits: UInt64, width: Int) -> UInt64 { bits &>> UInt64(truncatingIfNeeded: width) }
}
