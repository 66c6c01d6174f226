/// A number in a calculation of a predicate: a constant, a column, or the result of an operation on two other terms. It
/// is evaluated for all rows of a chunk at the same time. The result is a column of doubles.
indirect enum NumberTerm: Sendable {
    case constant(Double)
    case column(@Sendable (ChunkColumns) -> [Double])
    case orElse(NumberTerm, Double)
    case arithmetic(NumberTerm, Arithmetic, NumberTerm)

    func values(in chunk: Chunk) -> [Double] {
        switch self {
        case .constant(let value): return ChunkColumns.column(value)
        case .column(let column): return column(chunk.columns)
        case .orElse(let term, let standIn):
            return term.values(in: chunk).map { AbsentNumber.isAbsent($0) ? standIn : $0 }
        case .arithmetic(let left, let operation, let right):
            var values = left.values(in: chunk)
            let others = right.values(in: chunk)
            // Each operation has its own loop, so that the compiler can use vector instructions, as in
            // `ComparisonTest`.
            switch operation {
            case .add: for slot in values.indices { values[slot] += others[slot] }
            case .subtract: for slot in values.indices { values[slot] -= others[slot] }
            case .multiply: for slot in values.indices { values[slot] *= others[slot] }
            case .divide: for slot in values.indices { values[slot] /= others[slot] }
            case .divideWhole, .remainder:
                for slot in values.indices { values[slot] = operation.apply(values[slot], others[slot]) }
            }
            return values
        }
    }
}
