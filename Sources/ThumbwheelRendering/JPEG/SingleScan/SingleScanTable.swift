/// Lookup tables for the entropy-coded data of a single scan, indexed by the next 12 bits of the data.
///
/// A table entry contains three numbers:
/// - Bits 0–5: the number of bits that the entry consumes.
/// - Bits 8–15: the advance, which is the number of coefficients by which the entry moves on in the block. It is raised
///   by `ends` if the entry also consumes the end of the block.
/// - Bits 16–31: the value of the last of these coefficients, signed.
///
/// A code word with its extra bits may be too long for 12 bits. Then two lookups are needed. The entry of the first
/// lookup has the advance `escape`, and consumes only 1 bits at the beginning of the word. The remaining bits are
/// looked up in `remainders`.
///
/// Two lookups are not enough for some words: their remaining bits do not fit into 12 bits either, or the word without
/// its extra bits has more than 12 bits. Then the entry consumes nothing. Its advance is `stuck`, and `isStuck` is set.
final class SingleScanTable: Sendable {
    static let bits = 12
    /// The most bits that a table entry consumes. The reader loads enough bits at once for three such entries.
    static let longest = 18
    static let ends = 80
    static let stuck = 160
    static let escape = 224
    /// A bit of a table entry that is set if the next code cannot be found by lookup. It is bit 7, so that it does not
    /// disturb a shift by the whole entry: a 64-bit shift uses only bits 0–5, which hold the entry's length.
    static let isStuck: UInt32 = 0x80
    /// The first of the last 16 positions in a block. At these positions, a table entry consumes only one code word,
    /// for two reasons:
    /// - The coefficient may be the last of the block. The code word after it is then not an AC code word.
    /// - A run of 16 zeros always ends the block.
    ///
    /// At earlier positions, an entry may consume several code words. It advances by too few coefficients to reach the
    /// end of the block.
    static let lastPlaces = 48
    /// A table whose entries consume nothing and lead to no other state, for every index. It is written before any
    /// reader can use it, and read-only afterwards.
    nonisolated(unsafe) static let nowhere: UnsafePointer<UInt32> = {
        let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 << bits)
        entries.initialize(repeating: isStuck, count: 1 << bits)
        return UnsafePointer(entries)
    }()

    let code: HuffmanCode
    // This memory is written only inside `init`, before any other thread can have a reference to this object, and
    // read-only afterwards.
    private nonisolated(unsafe) let entries: UnsafeMutablePointer<UInt32>

    private let partCount: Int

    init(_ code: HuffmanCode, isAC: Bool) {
        self.code = code
        partCount = isAC ? 4 : 2
        entries = .allocate(capacity: partCount << Self.bits)
        EntryMaker(code, isAC: isAC).write(to: entries)
    }

    deinit {
        entries.deallocate()
    }

    /// The part of a DC table that decodes DC differences. A DC difference is a block's DC coefficient minus the DC
    /// coefficient of the previous block of the same component.
    var differences: UnsafePointer<UInt32> { part(0) }

    /// Returns the part of an AC table that reads the coefficient at a position in the block.
    ///
    /// - Parameter isWanted: whether the coefficient's value is wanted. If not, one table entry skips several
    ///   coefficients, those whose code words lie completely within the next 12 bits.
    func coefficients(at place: Int, isWanted: Bool) -> UnsafePointer<UInt32> {
        part(place >= Self.lastPlaces ? 2 : isWanted ? 0 : 1)
    }

    /// The part of the table for the second lookup of a long code word. The first lookup has found an entry that has
    /// `escape` instead of a number of coefficients, and that has consumed only the beginning of the word.
    var remainders: UnsafePointer<UInt32> { part(partCount - 1) }

    /// Returns one part of the table: `1 << bits` entries that live as long as this object.
    private func part(_ part: Int) -> UnsafePointer<UInt32> { UnsafePointer(entries + part << Self.bits) }
}
