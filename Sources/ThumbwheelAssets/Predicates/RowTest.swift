/// A test of rows (assets) that was made from a condition. It tests the rows of one chunk at a time, and only those
/// that have passed all tests before it.
protocol RowTest: Sendable {
    /// Removes the rows that fail the test from `mask`.
    func refine(_ mask: inout RowMask, in chunk: Chunk)

    /// The bounds of the creation dates that a row can have to pass the test. A fetch skips chunks whose dates are all
    /// outside these bounds.
    var dates: DateBounds { get }
}

extension RowTest {
    var dates: DateBounds { .all }
}
