/// A copy of the entropy-coded data from which a run of neighbouring minimum coded units was read. It also contains
/// marks: positions in the data from which reading can start again. From a mark, any later unit of the run can be read
/// a second time.
///
/// Units at the image's edges are read a second time, now with all their coefficients. The first reading cannot read
/// them completely, because it may not know which units are at the edges: it may have begun at a guessed position in
/// the data.
struct EntropyTrail {
    /// A position of a reader in the entropy-coded data, with the reader's state.
    struct Mark {
        /// The position of the next bit, counted in bits. While the data are being read, it is eight times an address
        /// in memory, plus the number of the bit in the byte. In a mark that was added to a trail, it is the distance
        /// from the first byte of the trail.
        var address: UInt
        let table: UnsafePointer<UInt32>
        let state: UnsafeRawPointer
        /// The number of coefficients from the start of the run of minimum coded units to the start of the block that
        /// was being decoded.
        let offset: Int
    }

    /// The number of zero bytes after the data. It is larger than the longest minimum coded unit, which has 10 blocks
    /// of 64 codes of 31 bits. These bytes may be read, because a reader notices only at the end of a unit that it has
    /// passed the end of the data.
    static let slack = 2560

    /// The decoder states with which the run of minimum coded units was read. They are kept because the marks point
    /// into their tables.
    let states: ScanStates
    private(set) var bytes: [UInt8] = []
    private var marks: [Mark] = []

    init(_ states: ScanStates) {
        self.states = states
    }

    mutating func append(_ data: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: data) }

    mutating func append(_ mark: Mark) { marks.append(mark) }

    mutating func end() { bytes.append(contentsOf: repeatElement(0, count: Self.slack)) }

    /// Returns the last mark, or recorded position, at the start of a minimum coded unit or before it; nil if there is
    /// none.
    ///
    /// - Parameter offset: the start of the unit, as the number of the run's coefficients before it.
    func mark(before offset: Int) -> Mark? {
        // The last usable mark so far. A mark's offset is that of the start of its block. So a mark with the unit's
        // offset lies either at the unit's start or inside the unit's first block. A mark inside the block is not
        // usable, because reading must begin at or before the unit's start.
        var last: Mark?
        for mark in marks where mark.offset < offset || mark.offset == offset && isBetweenUnits(mark) {
            if last.map({ $0.offset <= mark.offset }) ?? true { last = mark }
        }
        return last
    }

    private func isBetweenUnits(_ mark: Mark) -> Bool { mark.state == states.first && mark.table == states.firstTable }
}
