/// A test of the values in one column.
struct ColumnTest<Value: Sendable>: RowTest {
    /// The column. If it is empty, every row has the value `absent`.
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
