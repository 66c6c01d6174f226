/// A run's entropy-coded data, with marks of a lane's positions, so that any unit of the run can be read a second time.
///
/// Only a run that has found its place in the image shows which of its units lie at the image's edge.
struct EntropyTrail {
    /// A position of a lane.
    struct Mark {
        /// In bits: of the address space, or from a trail's first byte.
        var address: UInt
        let table: UnsafePointer<UInt32>
        let state: UnsafeRawPointer
        /// The number of the run's samples before the block that the lane was in.
        let offset: Int
    }

    /// Longer than any unit, which has 10 blocks of 64 codes with 31 bits each: a reader that runs over the end notices
    /// after the unit.
    static let slack = 2560

    /// Owns the tables that the marks point into.
    let states: ScanStates
    private(set) var bytes: [UInt8] = []
    private var marks: [Mark] = []

    init(_ states: ScanStates) {
        self.states = states
    }

    mutating func append(_ data: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: data) }

    mutating func append(_ mark: Mark) { marks.append(mark) }

    mutating func end() { bytes.append(contentsOf: repeatElement(0, count: Self.slack)) }

    /// The last mark at or before the start of a unit, which lies `offset` samples behind the start of the run.
    func mark(before offset: Int) -> Mark? {
        // A mark inside a unit's first block also has the unit's offset.
        var last: Mark?
        for mark in marks where mark.offset < offset || mark.offset == offset && isBetweenUnits(mark) {
            if last.map({ $0.offset <= mark.offset }) ?? true { last = mark }
        }
        return last
    }

    private func isBetweenUnits(_ mark: Mark) -> Bool { mark.state == states.first && mark.table == states.firstTable }
}
