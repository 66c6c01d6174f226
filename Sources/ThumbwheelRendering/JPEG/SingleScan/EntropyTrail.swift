/// The entropy-coded data of a run, with recorded positions (marks) of the lane that read them. From a mark, any later
/// unit of the run can be read a second time.
///
/// Units at the image's edges are read a second time, with all their coefficients. The first reading cannot do that: a
/// lane that began at a guessed position does not know yet which units lie at the edge.
struct EntropyTrail {
    /// A position of a lane in the data, with the state of its reading.
    struct Mark {
        /// The position of the next bit. A lane's own mark counts bits from address 0 in memory, a mark in a trail
        /// counts them from the trail's first byte.
        var address: UInt
        let table: UnsafePointer<UInt32>
        let state: UnsafeRawPointer
        /// The number of coefficients in the run before the block that the lane was in.
        let offset: Int
    }

    /// The number of zero bytes behind the data. A reader that runs over the data's end notices that only behind the
    /// unit. So there are more zeros than the longest unit has bytes, with 10 blocks of 64 codes of 31 bits.
    static let slack = 2560

    /// The states of the lane that read the run. They own the tables that the marks point into.
    let states: ScanStates
    private(set) var bytes: [UInt8] = []
    private var marks: [Mark] = []

    init(_ states: ScanStates) {
        self.states = states
    }

    mutating func append(_ data: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: data) }

    mutating func append(_ mark: Mark) { marks.append(mark) }

    mutating func end() { bytes.append(contentsOf: repeatElement(0, count: Self.slack)) }

    /// Finds the last mark that does not lie behind the start of a unit. `offset` is the number of coefficients in the
    /// run before that unit.
    func mark(before offset: Int) -> Mark? {
        // A mark inside a unit's first block has the same offset as the unit, but lies behind the unit's start. Such a
        // mark does not count.
        var last: Mark?
        for mark in marks where mark.offset < offset || mark.offset == offset && isBetweenUnits(mark) {
            if last.map({ $0.offset <= mark.offset }) ?? true { last = mark }
        }
        return last
    }

    private func isBetweenUnits(_ mark: Mark) -> Bool { mark.state == states.first && mark.table == states.firstTable }
}
