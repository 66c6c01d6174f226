/// A copy of the entropy-coded data of a run of minimum coded units, with recorded positions (marks) of the lane that
/// read the run. From a mark, any later unit of the run can be read a second time.
///
/// Units at the image's edges are read a second time, now with all their coefficients. The first reading cannot read
/// them completely: a lane that began at a guessed position does not know yet which units are at the edge.
struct EntropyTrail {
    /// A position of a lane (a reader) in the entropy-coded data, with the lane's state.
    struct Mark {
        /// The position of the next bit, counted in bits. In a mark that a lane has just recorded, it counts from
        /// address 0 in memory; in a mark of a trail, from the trail's first byte.
        var address: UInt
        let table: UnsafePointer<UInt32>
        let state: UnsafeRawPointer
        /// The number of coefficients in the run of minimum coded units before the block that the lane (the reader) was
        /// writing.
        let offset: Int
    }

    /// The number of zero bytes after the data, which exceeds the longest minimum coded unit: 10 blocks of 64 codes of
    /// 31 bits. A reader notices only at the end of a unit that it has passed the end of the data.
    static let slack = 2560

    /// The decoder states of the lane (a reader) that read the run of minimum coded units. They own the tables into
    /// which the recorded positions (marks) point.
    let states: ScanStates
    private(set) var bytes: [UInt8] = []
    private var marks: [Mark] = []

    init(_ states: ScanStates) {
        self.states = states
    }

    mutating func append(_ data: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: data) }

    mutating func append(_ mark: Mark) { marks.append(mark) }

    mutating func end() { bytes.append(contentsOf: repeatElement(0, count: Self.slack)) }

    /// Finds the last recorded position (mark) that is not after the start of a minimum coded unit; nil if there is
    /// none.
    ///
    /// - Parameter offset: the number of coefficients in the run before that unit.
    func mark(before offset: Int) -> Mark? {
        // A mark inside the first block of a minimum coded unit has the same offset as the unit, but is after the
        // unit's start. Such a mark is not used.
        var last: Mark?
        for mark in marks where mark.offset < offset || mark.offset == offset && isBetweenUnits(mark) {
            if last.map({ $0.offset <= mark.offset }) ?? true { last = mark }
        }
        return last
    }

    private func isBetweenUnits(_ mark: Mark) -> Bool { mark.state == states.first && mark.table == states.firstTable }
}
