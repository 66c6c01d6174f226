/// Lookup tables for the entropy-coded data of a single scan, indexed by the next 12 bits of the data.
///
/// A table entry contains three numbers:
/// - Bits 0–5: the number of bits that the entry consumes.
/// - Bits 8–15: the advance, which is the number of coefficients by which the entry moves on in the block. It is raised
///   by `ends` if the entry also consumes the end of the block.
/// - Bits 16–31: the value of the last of these coefficients, signed.
///
/// A code word with its extra bits may be longer than 12 bits. Then it takes two lookups. The entry of the first lookup
/// has the advance `escape`. It consumes the first few bits of the word, which all have the value 1. The bits after
/// them are looked up in `remainders`.
///
/// Some words are too long even for two lookups. Their entry in the first lookup consumes nothing, has the advance
/// `stuck`, and has the bit `isStuck` set. Such a word is decoded without the tables.
final class SingleScanTable: Sendable {
    static let bits = 12
    /// The most bits that a table entry consumes. The decoder loads enough bits at once for three such entries.
    static let longest = 18
    static let ends = 80
    static let stuck = 160
    static let escape = 224
    /// A bit of a table entry that is set if the next code cannot be found by lookup. It is bit 7, so that it does not
    /// disturb a shift by the whole entry: a 64-bit shift uses only bits 0–5, which hold the entry's length.
    static let isStuck: UInt32 = 0x80
    /// The first of the last 16 positions in a block. From this position on, a table entry consumes only one code word.
    /// There are two reasons:
    /// - The coefficient may be the last of the block. The code word after it then belongs to the next block.
    /// - A run of 16 zeros that begins here or later always completes the block.
    ///
    /// At earlier positions, an entry may consume several code words. Its advance is at most 16, so it cannot reach the
    /// end of the block without an end-of-block code.
    static let lastPlaces = 48
    /// The table of the states in which a decoder is stuck: its next code is not in the tables, or the data are
    /// invalid. For every index, the entry consumes nothing and leads to no other state. So further lookups do no harm
    /// until the decoder is checked. This table is written before any decoder can use it, and is never changed
    /// afterwards.
    nonisolated(unsafe) static let stuckEntries: UnsafePointer<UInt32> = {
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

    /// Returns the part of an AC table with which the coefficient at a position in the block is decoded.
    ///
    /// - Parameter isWanted: whether the coefficient's value is needed. If not, one table entry skips several
    ///   coefficients. It skips all coefficients whose code words lie completely within the next 12 bits.
    func coefficients(at place: Int, isWanted: Bool) -> UnsafePointer<UInt32> {
        part(place >= Self.lastPlaces ? 2 : isWanted ? 0 : 1)
    }

    /// The part of the table for the second lookup of a long code word. The entry of the first lookup is marked with
    /// the advance `escape`, and has consumed only the first bits of the word.
    var remainders: UnsafePointer<UInt32> { part(partCount - 1) }

    /// Returns one part of the table: `1 << bits` entries that live as long as this object.
    private func part(_ part: Int) -> UnsafePointer<UInt32> { UnsafePointer(entries + part << Self.bits) }
}
