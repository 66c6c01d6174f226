/// Lookup tables over the next 12 bits of the entropy-coded data of a single scan.
///
/// An entry says how many bits it swallows (bits 0–5), how far it goes in the block (8–15) and the coefficient it ends at
/// (16–31, signed). How far is the number of coefficients passed, `ends` more where it swallows the end of the block.
/// Where a code with its extra bits is longer than 12, an entry swallows only the ones that such a code begins with, and its
/// way is `escape`: the rest is looked up in `remainders`. Where even that is not enough, the entry swallows nothing, its way
/// is `stuck` and `isStuck` is set.
final class SingleScanTable: Sendable {
    static let bits = 12
    /// Bits that an entry swallows at most: three times as many are in hand after a refill.
    static let longest = 18
    static let ends = 80
    static let stuck = 160
    static let escape = 224
    /// Marks entries by which a lane gets no further. Shifts look at fewer bits and do not see it.
    static let isStuck: UInt32 = 0x80
    /// From this place in the block on, an entry must not take more than one code: the last coefficient may end the
    /// block, and the code after that is no AC code. Before it, an entry's coefficients cannot reach so far. From here
    /// on, a run of 16 zeros always ends the block.
    static let lastPlaces = 48
    /// Goes nowhere, whatever the bits. Written before anyone has it, and read-only afterwards.
    nonisolated(unsafe) static let nowhere: UnsafePointer<UInt32> = {
        let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 << bits)
        entries.initialize(repeating: isStuck, count: 1 << bits)
        return UnsafePointer(entries)
    }()

    let code: HuffmanCode
    // Written only inside `init`, before anyone else can hold the object, and read-only afterwards.
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

    /// For a DC code: the difference as the coefficient at place 0.
    var differences: UnsafePointer<UInt32> { part(0) }

    /// For an AC code: what reads the coefficient at a place.
    ///
    /// - Parameter isWanted: whether the coefficient is; else an entry passes as many as there are in 12 bits.
    func coefficients(at place: Int, isWanted: Bool) -> UnsafePointer<UInt32> {
        part(place >= Self.lastPlaces ? 2 : isWanted ? 0 : 1)
    }

    /// What follows an escape.
    var remainders: UnsafePointer<UInt32> { part(partCount - 1) }

    /// `1 << bits` entries that live as long as this object.
    private func part(_ part: Int) -> UnsafePointer<UInt32> { UnsafePointer(entries + part << Self.bits) }
}
