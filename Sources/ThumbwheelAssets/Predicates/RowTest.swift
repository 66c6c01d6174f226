/// A compiled condition on rows. It tests one chunk at a time, and only rows that are still candidates, so the first test
/// of a conjunction saves work for the later ones.
protocol RowTest: Sendable {
    /// Removes from `mask` the rows for which the condition does not hold.
    func refine(_ mask: inout RowMask, in chunk: Chunk)

    /// The bounds of the creation dates that rows satisfying the condition can have.
    var dates: DateBounds { get }
}

extension RowTest {
    var dates: DateBounds { .all }
}
