/// A compiled condition on rows. It tests one chunk at a time, and within the chunk only rows that are still
/// candidates. So the first test of a conjunction saves work for the later ones.
protocol RowTest: Sendable {
    /// Removes from `mask` the rows for which the condition does not hold.
    func refine(_ mask: inout RowMask, in chunk: Chunk)

    /// The bounds of the creation dates of rows that can satisfy the condition. A fetch skips chunks outside them.
    var dates: DateBounds { get }
}

extension RowTest {
    var dates: DateBounds { .all }
}
