/// A run's entropy-coded data, and where in them a lane was now and then: by that any of its units can be read once more.
///
/// Which units of a run lie at the image's edge is only known when the run has found its place in the image.
struct EntropyTrail {
    /// Where a lane was.
    struct Mark {
        /// In bits: of the address space, or from a trail's first byte.
        var address: UInt
        let table: UnsafePointer<UInt32>
        let state: UnsafeRawPointer
        /// The samples of a run that lie before the block that it was in.
        let offset: Int
    }

    /// More than a unit can take, 10 blocks of 64 codes with 31 bits each: whoever runs over the end notices behind a unit.
    static let slack = 2560

    /// Owns what the marks point into.
    let states: ScanStates
    private(set) var bytes: [UInt8] = []
    private var marks: [Mark] = []

    init(_ states: ScanStates) {
        self.states = states
    }

    mutating func append(_ data: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: data) }

    mutating func append(_ mark: Mark) { marks.append(mark) }

    mutating func end() { bytes.append(contentsOf: repeatElement(0, count: Self.slack)) }

    /// The last mark that is not behind the start of a unit, so many samples behind that of the run.
    func mark(before offset: Int) -> Mark? {
        // One in a unit's first block has the unit's own offset.
        var last: Mark?
        for mark in marks where mark.offset < offset || mark.offset == offset && isBetweenUnits(mark) {
            if last.map({ $0.offset <= mark.offset }) ?? true { last = mark }
        }
        return last
    }

    private func isBetweenUnits(_ mark: Mark) -> Bool { mark.state == states.first && mark.table == states.firstTable }
}

/// Notes where lanes in turn are, now and then.
final class EntropyMarks {
    /// Turns between two notes: what a lane reads in them is read twice at the end of each row of units.
    static let turnCount = 96

    private var marks: [[EntropyTrail.Mark]] = [[], [], []]

    /// - Parameter output: where the lane's block is, until `take` tells where its run begins.
    @inline(never)
    func note(
        _ lane: Int, _ address: UInt, _ table: UnsafePointer<UInt32>, _ state: UnsafeRawPointer,
        _ output: UnsafeMutablePointer<Int16>
    ) {
        marks[lane].append(
            EntropyTrail.Mark(address: address, table: table, state: state, offset: Int(bitPattern: output)))
    }

    /// Hands over the marks of a lane.
    ///
    /// - Parameter start: of its run.
    func take(_ lane: Int, from start: UnsafeMutablePointer<Int16>) -> [EntropyTrail.Mark] {
        defer { marks[lane].removeAll(keepingCapacity: true) }
        return marks[lane].map { mark in
            EntropyTrail.Mark(
                address: mark.address, table: mark.table, state: mark.state,
                offset: (mark.offset - Int(bitPattern: start)) / MemoryLayout<Int16>.stride)
        }
    }
}
