/// How the rows of a chunk hold a key's values.
enum KeyColumn: Sendable {
    case flag(RowFlag)
    case bytes(@Sendable (ChunkColumns) -> [UInt8])
    case halves(@Sendable (ChunkColumns) -> [Int32])
    case counts(@Sendable (ChunkColumns) -> [UInt32])
    case wholes(@Sendable (ChunkColumns) -> [Int64])
    case bits(@Sendable (ChunkColumns) -> [UInt64])
    case numbers(@Sendable (ChunkColumns) -> [Double], absent: Double)
    case texts(@Sendable (ChunkColumns) -> TextColumn)
    case identifiers

    /// The values as doubles, for calculations; nil where they are none.
    var term: NumberTerm? {
        switch self {
        case .flag(let flag):
            .column { columns in (0..<Chunk.rowCount).map { columns[flag, $0] ? 1 : 0 } }
        case .bytes(let column): .column { column($0).map(Double.init) }
        case .halves(let column): .column { column($0).map(Double.init) }
        case .counts(let column): .column { column($0).map(Double.init) }
        case .wholes(let column): .column { column($0).map(Double.init) }
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

extension AssetKey {
    /// Where the rows hold the key; nil for those that stand for a value of another.
    var column: KeyColumn? {
        switch self {
        case .localIdentifier: .identifiers
        case .creationDate: .numbers({ $0.creation }, absent: AbsentNumber.value)
        case .modificationDate: .numbers({ $0.modification }, absent: AbsentNumber.value)
        case .addedDate: .numbers({ $0.added }, absent: AbsentNumber.value)
        case .duration: .numbers({ $0.duration }, absent: 0)
        case .latitude: .numbers({ $0.latitude }, absent: AbsentNumber.value)
        case .longitude: .numbers({ $0.longitude }, absent: AbsentNumber.value)
        case .mediaType: .bytes { $0.mediaType }
        case .sourceType: .bytes { $0.sourceType }
        case .mediaSubtypes: .bits { $0.subtypes }
        case .pixelWidth: .halves { $0.width }
        case .pixelHeight: .halves { $0.height }
        case .fileSize: .wholes { $0.fileSize }
        case .contentVersion: .counts { $0.contentVersion }
        case .isFavorite: .flag(.favorite)
        case .isHidden: .flag(.hidden)
        case .representsBurst: .flag(.representsBurst)
        case .hasAdjustments: .flag(.adjusted)
        case .burstIdentifier: .texts { $0.bursts }
        case .originalFilename: .texts { $0.filenames }
        default: nil
        }
    }
}
