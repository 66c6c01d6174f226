/// Lookup tables for the entropy-coded data of a single scan, indexed by the next 12 bits of the data.
///
/// A table entry contains the number of bits that it consumes (bits 0–5) and the number of coefficients by which it
/// advances in the block (bits 8–15). It also contains the value of the last of these coefficients (bits 16–31,
/// signed). The advance is raised by `ends` if the entry also consumes the end of the block.
///
/// If a code word with its extra bits exceeds 12 bits, the entry consumes only the 1 bits with which long words begin.
/// Its advance is `escape`, and the rest is looked up in `remainders`. If the rest is still too long, the entry
/// consumes nothing, its advance is `stuck`, and `isStuck` is set.
final class SingleScanTable: Sendable {
    static let bits = 12
    /// The most bits that a table entry consumes. A refill of the lane (the reader) provides enough for three such
    /// entries.
    static let longest = 18
    static let ends = 80
    static let stuck = 160
    static let escape = 224
    /// A bit of a table entry that is set if the next code cannot be found by lookup. It is bit 7, so that it does not
    /// disturb a shift by the whole entry: a 64-bit shift uses only bits 0–5, which hold the entry's length.
    static let isStuck: UInt32 = 0x80
    /// The first position in a block from which a table entry must consume only one code word, for three reasons:
    /// - The last coefficient may end the block, and the code word after it is not an AC code word.
    /// - A table entry at an earlier position passes too few coefficients to reach the end of the block.
    /// - From this position on, a run of 16 zeros always ends the block.
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

    /// The part of a DC table that decodes DC differences. A DC coefficient is coded as the difference from that of the
    /// component's block before.
    var differences: UnsafePointer<UInt32> { part(0) }

    /// Returns the part of an AC table that reads the coefficient at a position in the block.
    ///
    /// - Parameter isWanted: whether the coefficient is wanted. If not, a table entry passes all coefficients that 12
    ///   bits contain.
    func coefficients(at place: Int, isWanted: Bool) -> UnsafePointer<UInt32> {
        part(place >= Self.lastPlaces ? 2 : isWanted ? 0 : 1)
    }

    /// The part of the table that reads the rest of a code word, after a table entry with the advance `escape`.
    var remainders: UnsafePointer<UInt32> { part(partCount - 1) }

    /// Returns one part of the table: `1 << bits` entries that live as long as this object.
    private func part(_ part: Int) -> UnsafePointer<UInt32> { UnsafePointer(entries + part << Self.bits) }
}
