/// A copy of the entropy-coded data from which a run of neighbouring minimum coded units was read. It has marks, which
/// are positions in the data from which reading can start again. From a mark, any later unit of the run can be read a
/// second time.
///
/// Units at the image's edges are read twice. The first reading does not keep all their coefficients, because it does
/// not always know which units are at an edge: a decoder that began at a guessed position cannot tell. The second
/// reading reads these units with all their coefficients.
struct EntropyTrail {
    /// A position of a decoder in the entropy-coded data, with the decoder's state.
    struct Mark {
        /// The position of the next bit, as a number of bits. While the data are being read, the position is eight
        /// times the address of a byte in memory, plus the number of the bit in the byte. In an `EntropyTrail`, the
        /// position counts from the first byte of the trail.
        var address: UInt
        let table: UnsafePointer<UInt32>
        let state: UnsafeRawPointer
        /// The number of coefficients from the start of the run of minimum coded units to the start of the block that
        /// was being decoded.
        let offset: Int
    }

    /// The number of zero bytes after the data. It is larger than the longest minimum coded unit, which has 10 blocks
    /// of 64 codes of 31 bits. These bytes may be read, because a decoder notices only at the end of a unit that it has
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

    /// Returns the last mark from which a minimum coded unit can be read: a position at the start of the unit, or
    /// before it. Nil if there is no such mark.
    ///
    /// - Parameter offset: the number of coefficients that come before the unit in the run of units.
    func mark(before offset: Int) -> Mark? {
        // The last usable mark so far. A mark at the start of the unit or before it is usable. The offset of a mark is
        // that of the start of the block that was being read. So a mark with the unit's offset may also be inside the
        // unit's first block. Such a mark is too late.
        var last: Mark?
        for mark in marks where mark.offset < offset || mark.offset == offset && isBetweenUnits(mark) {
            if last.map({ $0.offset <= mark.offset }) ?? true { last = mark }
        }
        return last
    }

    private func isBetweenUnits(_ mark: Mark) -> Bool { mark.state == states.first && mark.table == states.firstTable }
}
