/// A comparison of the values in a column with one value. Most predicates spend most of their time in its loop.
struct ComparisonTest<Value: Comparable & Sendable>: RowTest {
    let column: @Sendable (ChunkColumns) -> [Value]
    let absent: Value
    let relation: Relation
    let value: Value

    // The attributes `@_specialize` make a version of this method for each common type of values. In a call through the
    // protocol `RowTest`, the compiler does not know the type, and in the general version, every comparison would be an
    // indirect function call.
    @_specialize(where Value == Double)
    @_specialize(where Value == UInt8)
    @_specialize(where Value == Int32)
    @_specialize(where Value == UInt32)
    @_specialize(where Value == Int64)
    @_specialize(where Value == UInt64)
    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        let values = column(chunk.columns)
        let value = value
        if values.isEmpty {
            if !relation.holds(absent, value) { mask = .none }
            return
        }
        // Each relation has its own loop, because a choice inside the loop would prevent the compiler from using vector
        // instructions.
        switch relation {
        case .less: ColumnScan.refine(&mask, values) { $0 < value }
        case .lessOrEqual: ColumnScan.refine(&mask, values) { $0 <= value }
        case .greater: ColumnScan.refine(&mask, values) { $0 > value }
        case .greaterOrEqual: ColumnScan.refine(&mask, values) { $0 >= value }
        case .equal: ColumnScan.refine(&mask, values) { $0 == value }
        case .notEqual: ColumnScan.refine(&mask, values) { $0 != value }
        }
    }
}
