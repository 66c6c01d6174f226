/// A constant value in a predicate. A date is stored as its seconds since the reference date.
enum Literal: Sendable, Hashable {
    case absent
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)

    var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .flag(let flag): flag ? 1 : 0
        case .absent, .text: nil
        }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
