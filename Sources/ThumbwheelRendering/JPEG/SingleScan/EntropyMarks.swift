/// Records the positions of a scan's lanes, the readers of its entropy-coded data, at intervals during reading.
final class EntropyMarks {
    /// The number of turns between two recorded positions (marks). A turn is three table lookups. Units at the image's
    /// edges are read a second time, by a lane that begins at the last mark before the unit. So up to this many turns
    /// are repeated for such a unit.
    static let turnCount = 96

    private var marks: [[EntropyTrail.Mark]] = [[], [], []]

    /// Records the position of a lane, a reader of entropy-coded data.
    ///
    /// - Parameter output: the address of the block that the lane is writing. `take` converts it to an offset from the
    ///   start of the run of minimum coded units that the lane writes.
    @inline(never)
    func note(
        _ lane: Int, _ address: UInt, _ table: UnsafePointer<UInt32>, _ state: UnsafeRawPointer,
        _ output: UnsafeMutablePointer<Int16>
    ) {
        marks[lane].append(
            EntropyTrail.Mark(address: address, table: table, state: state, offset: Int(bitPattern: output)))
    }

    /// Returns the recorded positions (marks) of a lane, a reader of entropy-coded data, and removes them from this
    /// object.
    ///
    /// - Parameter start: the start of the run of minimum coded units that the lane writes.
    func take(_ lane: Int, from start: UnsafeMutablePointer<Int16>) -> [EntropyTrail.Mark] {
        defer { marks[lane].removeAll(keepingCapacity: true) }
        return marks[lane].map { mark in
            EntropyTrail.Mark(
                address: mark.address, table: mark.table, state: mark.state,
                offset: (mark.offset - Int(bitPattern: start)) / MemoryLayout<Int16>.stride)
        }
    }
}
