/// A test of rows (assets) that was made from a condition. It tests the rows of one chunk at a time, and only those
/// that have passed all tests before it.
protocol RowTest: Sendable {
    /// Removes the rows that fail the test from `mask`.
    func refine(_ mask: inout RowMask, in chunk: Chunk)

    /// The bounds of creation dates outside which a row cannot pass the test. A fetch skips chunks (blocks of rows)
    /// whose dates are all outside these bounds.
    var dates: DateBounds { get }
}

extension RowTest {
    var dates: DateBounds { .all }
}
