/// Lookup tables over the next 12 bits of the entropy-coded data of a single scan.
///
/// An entry tells how many bits it consumes (bits 0–5) and how far it advances in the block (bits 8–15). It also holds
/// the value of the coefficient it ends at (bits 16–31, signed). The advance is the number of coefficients passed,
/// raised by `ends` if the entry also consumes the end of the block.
///
/// If a code word with its extra bits exceeds 12 bits, the entry consumes only the 1 bits that long words begin with.
/// Its advance is `escape`, and the rest is looked up in `remainders`. If even that is not enough, the entry consumes
/// nothing, its advance is `stuck`, and `isStuck` is set.
final class SingleScanTable: Sendable {
    static let bits = 12
    /// The most bits that an entry consumes. A refill provides three times as many.
    static let longest = 18
    static let ends = 80
    static let stuck = 160
    static let escape = 224
    /// Marks an entry from which a lane, a reader of the data, cannot go on by lookup. The mark is bit 7. It does not
    /// disturb the shift by the entry's length, because a 64-bit shift uses only bits 0–5.
    static let isStuck: UInt32 = 0x80
    /// The first place in a block from which an entry must consume only one code word, for three reasons:
    /// - The last coefficient may end the block, and the code word behind it is no AC code word.
    /// - An entry at an earlier place passes too few coefficients to reach the end of the block.
    /// - From this place on, a run of 16 zeros always ends the block.
    static let lastPlaces = 48
    /// A table whose entries consume nothing and lead to no other state, for every index. It is written before any
    /// reader can hold it and read-only afterwards.
    nonisolated(unsafe) static let nowhere: UnsafePointer<UInt32> = {
        let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 << bits)
        entries.initialize(repeating: isStuck, count: 1 << bits)
        return UnsafePointer(entries)
    }()

    let code: HuffmanCode
    // Written only inside `init`, before any other thread can hold the object, and read-only afterwards.
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

    /// The part of a DC table that reads a difference, as the coefficient at place 0.
    var differences: UnsafePointer<UInt32> { part(0) }

    /// Returns the part of an AC table that reads the coefficient at a place of the block.
    ///
    /// - Parameter isWanted: whether the coefficient is wanted. If not, an entry passes as many coefficients as 12 bits
    ///   hold.
    func coefficients(at place: Int, isWanted: Bool) -> UnsafePointer<UInt32> {
        part(place >= Self.lastPlaces ? 2 : isWanted ? 0 : 1)
    }

    /// The part of the table that reads the rest of a code word after an entry with the advance `escape`.
    var remainders: UnsafePointer<UInt32> { part(partCount - 1) }

    /// Returns one part of the table: `1 << bits` entries that live as long as this object.
    private func part(_ part: Int) -> UnsafePointer<UInt32> { UnsafePointer(entries + part << Self.bits) }
}
