/// A value by which rows are compared when they are sorted by one property.
enum SortKey: Comparable {
    case number(UInt64)
    case pair(UInt64, UInt64)
    case text(String)

    /// Converts a number to bits that sort in the same order. An absent number is converted to 0, so that it comes
    /// first.
    @inline(__always)
    static func bits(_ number: Double) -> UInt64 {
        if AbsentNumber.isAbsent(number) { return 0 }
        // Zero and negative zero have different bit patterns but must count as equal.
        let pattern = (number == 0 ? 0 : number).bitPattern
        return pattern >> 63 == 1 ? ~pattern : pattern | 1 << 63
    }

    @inline(__always)
    static func bits(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

    init(_ column: KeyColumn?, _ columns: ChunkColumns, _ slot: Int) {
        switch column {
        case .flag(let flag): self = .number(columns[flag, slot] ? 1 : 0)
        case .bytes(let column): self = .number(UInt64(column(columns)[slot]))
        case .int32s(let column): self = .number(Self.bits(Int64(column(columns)[slot])))
        case .uint32s(let column): self = .number(UInt64(column(columns)[slot]))
        case .int64s(let column): self = .number(Self.bits(column(columns)[slot]))
        case .bits(let column):
            let values = column(columns)
            self = .number(values.isEmpty ? 0 : values[slot])
        case .numbers(let column, let absent):
            let values = column(columns)
            self = .number(Self.bits(values.isEmpty ? absent : values[slot]))
        case .texts(let column): self = .text(column(columns).text(at: slot))
        case .identifiers:
            let identifier = columns.identifier(at: slot)
            self = .pair(identifier.high, identifier.low)
        case nil: self = .number(0)
        }
    }

    static func < (one: SortKey, other: SortKey) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one < other
        case (.pair(let one, let two), .pair(let three, let four)): (one, two) < (three, four)
        case (.text(let one), .text(let other)): one < other
        default: false
        }
    }
}
