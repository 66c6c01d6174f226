/// A test of the values in one column.
struct ColumnTest<Value: Sendable>: RowTest {
    /// Returns the tested column from the columns of a chunk (a block of rows). If the column is empty, every row of
    /// the chunk counts as having the value `absent`.
    let column: @Sendable (ChunkColumns) -> [Value]
    let absent: Value
    let holds: @Sendable (Value) -> Bool

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        let values = column(chunk.columns)
        if values.isEmpty {
            if !holds(absent) { mask = .none }
        } else {
            ColumnScan.refine(&mask, values, holds)
        }
    }
}
