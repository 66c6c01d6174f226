/// Records the positions of the lanes of a scan at intervals, while they are stepped in turn.
final class EntropyMarks {
    /// The number of turns between two marks. At the end of each row of units, the data that a lane reads in that many
    /// turns are read twice.
    static let turnCount = 96

    private var marks: [[EntropyTrail.Mark]] = [[], [], []]

    /// - Parameter output: the address of the lane's block, from which `take` computes an offset from the start of the
    ///   lane's run.
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
