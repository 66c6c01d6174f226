/// A compiled condition on rows. It looks at a chunk at a time, and only at rows that are still in question: what comes
/// first in a conjunction spares what comes after it.
protocol RowTest: Sendable {
    /// Takes out of `mask` the rows for which the condition does not hold.
    func refine(_ mask: inout RowMask, in chunk: Chunk)

    /// What the creation dates are between of all rows that the condition can hold for.
    var dates: DateBounds { get }
}

extension RowTest {
    var dates: DateBounds { .all }
}
