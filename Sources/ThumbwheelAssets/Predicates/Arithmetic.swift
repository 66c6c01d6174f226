enum Arithmetic: Sendable, Hashable {
    case add, subtract, multiply, divide, divideWhole, remainder

    func apply(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        case .divideWhole: (left / right).rounded(.towardZero)
        case .remainder: left.truncatingRemainder(dividingBy: right)
        }
    }
}
