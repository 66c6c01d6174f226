/// The column with the values of a key (a property that predicates and sort descriptors use), and the type of the
/// values.
enum KeyColumn: Sendable {
    case flag(RowFlag)
    case bytes(@Sendable (ChunkColumns) -> [UInt8])
    case int32s(@Sendable (ChunkColumns) -> [Int32])
    case uint32s(@Sendable (ChunkColumns) -> [UInt32])
    case int64s(@Sendable (ChunkColumns) -> [Int64])
    case bits(@Sendable (ChunkColumns) -> [UInt64])
    case numbers(@Sendable (ChunkColumns) -> [Double], absent: Double)
    case texts(@Sendable (ChunkColumns) -> TextColumn)
    case identifiers

    /// The values as doubles, for calculations; nil if the values are not numbers.
    var term: NumberTerm? {
        switch self {
        case .flag(let flag):
            .column { columns in (0..<Chunk.rowCount).map { columns[flag, $0] ? 1 : 0 } }
        case .bytes(let column): .column { column($0).map(Double.init) }
        case .int32s(let column): .column { column($0).map(Double.init) }
        case .uint32s(let column): .column { column($0).map(Double.init) }
        case .int64s(let column): .column { column($0).map(Double.init) }
        case .bits(let column):
            .column { columns in
                let values = column(columns)
                return values.isEmpty ? ChunkColumns.column(0) : values.map(Double.init)
            }
        case .numbers(let column, let absent):
            .column { columns in
                let values = column(columns)
                return values.isEmpty ? ChunkColumns.column(absent) : values
            }
        case .texts, .identifiers: nil
        }
    }
}
