/// An entry of an `InflateTable`, which tells the meaning of the next bits of a deflate block.
///
/// The entry is one word, which holds these numbers, from its lowest bit on:
///
/// - 8 bits: the length of a code together with the extra bits that follow it
/// - 15 bits: the literal byte, the base of a length or distance, or the index of a second table's first entry
/// - 5 bits: the length of the code alone; in a link to a second table, the number of bits that choose an entry of that
///   table
/// - 3 bits: whether the entry is the end of the block, a link to a second table, or invalid
/// - 1 bit: 0 for a literal byte, 1 for any other entry
struct InflateEntry: BitwiseCopyable {
    let bits: UInt32

    private static let other: UInt32 = 1 << 31
    private static let last: UInt32 = 1 << 28
    private static let linked: UInt32 = 1 << 29
    private static let unknown: UInt32 = 1 << 30

    /// The entry for bits that are not a valid code.
    static let invalid = InflateEntry(bits: other | unknown)
    static let blockEnd = InflateEntry(bits: other | last)

    static func literal(_ byte: Int) -> InflateEntry { InflateEntry(bits: UInt32(byte) << 8) }

    /// The entry for a length or a distance: a base, to which the value of the extra bits after the code is added.
    static func base(_ base: Int, extraBitCount: Int) -> InflateEntry {
        InflateEntry(bits: other | UInt32(base) << 8 | UInt32(extraBitCount))
    }

    /// An entry for codes with more bits than the first table's index has. The codes' remaining bits choose an entry of
    /// a second table.
    ///
    /// - Parameters:
    ///   - place: the index of the second table's first entry.
    ///   - bitCount: the number of bits that choose an entry of the second table.
    static func link(to place: Int, bitCount: Int) -> InflateEntry {
        InflateEntry(bits: other | linked | UInt32(place) << 8 | UInt32(bitCount) << 23)
    }

    /// Returns the entry with the length of its symbol's code filled in.
    func with(codeBitCount: Int) -> InflateEntry {
        InflateEntry(bits: bits &+ UInt32(codeBitCount) &+ (isLiteral ? 0 : UInt32(codeBitCount) << 23))
    }

    @inline(__always) var isLiteral: Bool { Int32(bitPattern: bits) >= 0 }
    @inline(__always) var isLink: Bool { bits & Self.linked != 0 }
    @inline(__always) var isInvalid: Bool { bits & Self.unknown != 0 }
    /// Whether decoding ends at this entry, because the block ends there or the bits are not a valid code.
    @inline(__always) var isLast: Bool { bits & (Self.last | Self.unknown) != 0 }

    /// The number of bits of the code and of the extra bits after it.
    @inline(__always) var bitCount: Int { Int(bits & 0xFF) }
    @inline(__always) var byte: UInt8 { UInt8(truncatingIfNeeded: bits &>> 8) }
    @inline(__always) private var base: Int { Int(bits &>> 8 & 0x7FFF) }
    @inline(__always) private var codeBitCount: UInt64 { UInt64(bits &>> 23 & 0x1F) }

    /// Removes the code and the extra bits from the low end of a word. The mask costs no instruction, because a shift
    /// uses only the six lowest bits of its count anyway.
    @inline(__always) func pass(_ word: inout UInt64) { word &>>= UInt64(bits & 0x3F) }

    /// The sum of the base and the extra bits.
    ///
    /// - Parameter word: the data, with the first bit of the entry's code as the lowest bit.
    @inline(__always) func sum(_ word: UInt64) -> Int {
        let extra = (word & (1 &<< UInt64(bits & 0x3F) &- 1)) &>> codeBitCount
        return base &+ Int(truncatingIfNeeded: extra)
    }

    /// Returns the entry of a second table that this link leads to.
    ///
    /// - Parameters:
    ///   - word: the data, without the bits that were the index of this link in the first table. The next bit is the
    ///     lowest bit of the word.
    ///   - entries: the entries of the whole table, which begin with those of the first table.
    @inline(__always) func linked(_ word: UInt64, in entries: UnsafePointer<InflateEntry>) -> InflateEntry {
        entries[base &+ Int(truncatingIfNeeded: word & (1 &<< codeBitCount &- 1))]
    }
}
