/// Lookup tables for the entropy-coded data of a single scan, indexed by the next 12 bits of the data.
///
/// A table entry contains three numbers:
/// - Bits 0–5: the number of bits that the entry consumes.
/// - Bits 8–15: the number of coefficients by which the entry advances in the block. It is raised by `ends` if the
///   entry also consumes the end of the block.
/// - Bits 16–31: the value of the last of these coefficients, signed.
///
/// A code word with its extra bits may be too long for the 12 bits of one entry. Then the entry consumes only some of
/// the 1 bits with which long words begin, and its advance is `escape`. All further bits of the word are looked up in
/// `remainders`. If a word is too long even for two entries, or has more than 12 bits without its extra bits, the entry
/// consumes nothing. Its advance is `stuck`, and `isStuck` is set.
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
    /// The position in a block from which on a table entry consumes only one code word. There are two reasons:
    /// - From this position on, a coefficient may be the last of the block. The code word after it is then not an AC
    ///   code word.
    /// - From this position on, a run of 16 zeros always ends the block.
    ///
    /// At all positions before, entries may consume several code words, because they advance by too few coefficients to
    /// reach the end of the block.
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
    /// - Parameter isWanted: whether the coefficient's value is wanted. If not, one table entry skips all coefficients
    ///   whose codes lie completely within the next 12 bits.
    func coefficients(at place: Int, isWanted: Bool) -> UnsafePointer<UInt32> {
        part(place >= Self.lastPlaces ? 2 : isWanted ? 0 : 1)
    }

    /// The part of the table for the second lookup of a long code word. The first lookup has consumed the beginning of
    /// the word by an entry with the advance `escape`.
    var remainders: UnsafePointer<UInt32> { part(partCount - 1) }

    /// Returns one part of the table: `1 << bits` entries that live as long as this object.
    private func part(_ part: Int) -> UnsafePointer<UInt32> { UnsafePointer(entries + part << Self.bits) }
}
