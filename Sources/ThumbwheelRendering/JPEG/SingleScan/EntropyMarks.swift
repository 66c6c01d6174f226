/// Records the positions of a scan's lanes in the entropy-coded data, at intervals during decoding. A lane is the
/// decoder of one part of the data.
final class EntropyMarks {
    /// The largest number of rounds of three table lookups between two recorded positions. A minimum coded unit at the
    /// image's edge is read a second time, beginning at the last recorded position before it. So up to this many rounds
    /// are repeated for the unit.
    static let turnCount = 96

    private var marks: [[EntropyTrail.Mark]] = [[], [], []]

    /// Records the position of a lane (the decoder of one part of a scan's data).
    ///
    /// - Parameter output: the address of the block that the lane's coefficients go into. `take` converts it to an
    ///   offset from the start of the run of minimum coded units that the lane decodes.
    @inline(never)
    func note(
        _ lane: Int, _ address: UInt, _ table: UnsafePointer<UInt32>, _ state: UnsafeRawPointer,
        _ output: UnsafeMutablePointer<Int16>
    ) {
        marks[lane].append(
            EntropyTrail.Mark(address: address, table: table, state: state, offset: Int(bitPattern: output)))
    }

    /// Returns the recorded positions of a lane (the decoder of one part of a scan's data), and removes them from this
    /// object.
    ///
    /// - Parameter start: the start of the run of minimum coded units that the lane decodes.
    func take(_ lane: Int, from start: UnsafeMutablePointer<Int16>) -> [EntropyTrail.Mark] {
        defer { marks[lane].removeAll(keepingCapacity: true) }
        return marks[lane].map { mark in
            EntropyTrail.Mark(
                address: mark.address, table: mark.table, state: mark.state,
                offset: (mark.offset - Int(bitPattern: start)) / MemoryLayout<Int16>.stride)
        }
    }
}
