/// A test of rows (assets) that was made from a condition. It tests the rows of one chunk (a block of rows) at a time,
/// and only those that have passed all tests before it.
protocol RowTest: Sendable {
    /// Removes the rows that fail the test from `mask`.
    func refine(_ mask: inout RowMask, in chunk: Chunk)

    /// The range of creation dates that rows must have in order to pass the test. A fetch skips chunks (blocks of rows)
    /// without a date in this range.
    var dates: DateBounds { get }
}

extension RowTest {
    var dates: DateBounds { .all }
}
