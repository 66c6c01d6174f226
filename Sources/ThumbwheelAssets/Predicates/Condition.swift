/// What a predicate says, whoever wrote it: `#Predicate` and format strings are read into the same tree.
indirect enum Condition<Key: FetchKey>: Sendable, Hashable {
    case constant(Bool)
    case and(Condition, Condition)
    case or(Condition, Condition)
    case not(Condition)
    case flag(Key)
    case isAbsent(Key)
    case compare(Term<Key>, Relation, Term<Key>)
    case isIn(Term<Key>, [Literal])
    case text(Term<Key>, TextMatch)

    func negated(if isNegated: Bool) -> Condition { isNegated ? .not(self) : self }
}

enum Relation: Sendable, Hashable {
    case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual

    /// The relation after both sides have changed places.
    var mirrored: Relation {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .notEqual: self
        }
    }

    @inline(__always)
    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .equal: left == right
        case .notEqual: left != right
        }
    }
}

/// One side of a comparison.
indirect enum Term<Key: FetchKey>: Sendable, Hashable {
    case key(Key)
    case literal(Literal)
    /// The key's value, or, where it has none, another.
    case orElse(Key, Literal)
    case masked(Key, UInt64)
    case arithmetic(Term, Arithmetic, Term)
    case length(Key)

    /// A key of the term, for messages.
    var someKey: Key? {
        switch self {
        case .key(let key), .orElse(let key, _), .masked(let key, _), .length(let key): key
        case .literal: nil
        case .arithmetic(let left, _, let right): left.someKey ?? right.someKey
        }
    }
}

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

/// A value that a predicate holds. Dates are numbers of seconds since the reference date.
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
