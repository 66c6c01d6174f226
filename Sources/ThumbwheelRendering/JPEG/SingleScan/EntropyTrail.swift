/// The entropy-coded data of a run, with marks of a lane's positions, so that any unit of the run can be read a second
/// time.
///
/// Edge units are read a second time, because a lane that began at a guess does not know which of its units lie at the
/// image's edge until the run has its place in the image.
struct EntropyTrail {
    /// A position of a lane in the data, with the state of its reading.
    struct Mark {
        /// The address of the next bit, counted in bits of the address space, or from a trail's first byte.
        var address: UInt
        let table: UnsafePointer<UInt32>
        let state: UnsafeRawPointer
        /// The number of coefficients in the run before the block that the lane was in.
        let offset: Int
    }

    /// The number of zero bytes at the end. They are more than any unit has, 10 blocks of 64 codes with 31 bits each,
    /// because a reader that runs over the end notices only after the unit.
    static let slack = 2560

    /// The states of the lane; they own the tables that the marks point into.
    let states: ScanStates
    private(set) var bytes: [UInt8] = []
    private var marks: [Mark] = []

    init(_ states: ScanStates) {
        self.states = states
    }

    mutating func append(_ data: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: data) }

    mutating func append(_ mark: Mark) { marks.append(mark) }

    mutating func end() { bytes.append(contentsOf: repeatElement(0, count: Self.slack)) }

    /// Finds the last mark at or before the start of a unit, which lies `offset` coefficients behind the start of the run.
    func mark(before offset: Int) -> Mark? {
        // A mark inside a unit's first block has the same offset as the unit, but stands behind its start.
        var last: Mark?
        for mark in marks where mark.offset < offset || mark.offset == offset && isBetweenUnits(mark) {
            if last.map({ $0.offset <= mark.offset }) ?? true { last = mark }
        }
        return last
    }

    private func isBetweenUnits(_ mark: Mark) -> Bool { mark.state == states.first && mark.table == states.firstTable }
}
