/// The kinds of PNG chunks that the decoder reads. Each kind is a four-letter name, stored as a 32-bit number.
enum PNGChunkKind {
    static let header = number("IHDR")
    static let palette = number("PLTE")
    static let transparency = number("tRNS")
    static let profile = number("iCCP")
    static let gamma = number("gAMA")
    static let chromaticities = number("cHRM")
    static let sRGB = number("sRGB")
    static let data = number("IDAT")

    /// Whether a decoder may ignore chunks of this kind if it does not know the kind. The names of such kinds begin
    /// with a small letter.
    static func isAncillary(_ kind: UInt32) -> Bool { kind & 0x2000_0000 != 0 }

    private static func number(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
