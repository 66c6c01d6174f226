/// Records the positions of a scan's lanes, the readers of its entropy-coded data, at intervals while they read.
final class EntropyMarks {
    /// The number of turns, of three table lookups each, between two recorded positions (marks). To read a unit a
    /// second time, a lane begins at the mark before it. So at the end of each row of units, up to this many turns are
    /// repeated.
    static let turnCount = 96

    private var marks: [[EntropyTrail.Mark]] = [[], [], []]

    /// Records a lane's position.
    ///
    /// - Parameter output: the address of the block that the lane is writing. `take` turns it into an offset from the
    ///   start of the lane's run.
    @inline(never)
    func note(
        _ lane: Int, _ address: UInt, _ table: UnsafePointer<UInt32>, _ state: UnsafeRawPointer,
        _ output: UnsafeMutablePointer<Int16>
    ) {
        marks[lane].append(
            EntropyTrail.Mark(address: address, table: table, state: state, offset: Int(bitPattern: output)))
    }

    /// Returns the marks of a lane and forgets them.
    ///
    /// - Parameter start: the start of the lane's run.
    func take(_ lane: Int, from start: UnsafeMutablePointer<Int16>) -> [EntropyTrail.Mark] {
        defer { marks[lane].removeAll(keepingCapacity: true) }
        return marks[lane].map { mark in
            EntropyTrail.Mark(
                address: mark.address, table: mark.table, state: mark.state,
                offset: (mark.offset - Int(bitPattern: start)) / MemoryLayout<Int16>.stride)
        }
    }
}
