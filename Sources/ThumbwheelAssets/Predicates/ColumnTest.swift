/// A test of each row's own value in one column.
struct ColumnTest<Value: Sendable>: RowTest {
    /// The column; an empty one stands for `absent` in every row.
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
