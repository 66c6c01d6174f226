/// Makes tests of columns from conditions.
enum RowTestCompiler {
    typealias AssetTerm = Term<AssetKey>

    static func test(_ condition: Condition<AssetKey>) throws(FetchPredicateError) -> any RowTest {
        switch condition {
        case .constant(let holds): return ConstantTest(holds: holds)
        case .and(let one, let other): return BothTest(first: try test(one), second: try test(other))
        case .or(let one, let other): return EitherTest(first: try test(one), second: try test(other))
        case .not(let condition): return NotTest(test: try test(condition))
        case .flag(let key): return try flagTest(key)
        case .isAbsent(let key): return absenceTest(key)
        case .compare(let left, let relation, let right): return try comparison(left, relation, right)
        case .isIn(let term, let literals): return try membership(term, literals)
        case .text(let term, let match): return try textTest(term, match)
        }
    }

    static func flagTest(_ key: AssetKey) throws(FetchPredicateError) -> any RowTest {
        if let type = key.mediaType {
            return ComparisonTest(
                column: { $0.mediaType }, absent: 0, relation: .equal, value: UInt8(type.rawValue))
        }
        if let subtype = key.subtype { return maskTest(UInt64(subtype.rawValue)) { $0 != 0 } }
        guard case .flag(let flag) = key.column else { throw mismatch(key, "is neither true nor false") }
        return FlagTest(flag: flag)
    }

    static func maskTest(_ mask: UInt64, _ holds: @escaping @Sendable (UInt64) -> Bool) -> any RowTest {
        ColumnTest(column: { $0.subtypes }, absent: 0, holds: { holds($0 & mask) })
    }

    private static func absenceTest(_ key: AssetKey) -> any RowTest {
        switch key.column {
        case .numbers(let column, let absent):
            ColumnTest(column: column, absent: absent) { AbsentNumber.isAbsent($0) }
        case .texts(let column) where key == .burstIdentifier:
            SlotTest { columns, slot in column(columns).isEmpty(at: slot) }
        default: ConstantTest(holds: false)
        }
    }

    private static func comparison(
        _ left: AssetTerm, _ relation: Relation, _ right: AssetTerm
    ) throws(FetchPredicateError) -> any RowTest {
        switch (left, right) {
        case (.literal, .key), (.literal, .orElse), (.literal, .masked):
            return try comparison(right, relation.mirrored, left)
        case (_, .literal(.absent)), (.literal(.absent), _):
            guard let key = left.someKey ?? right.someKey, relation == .equal || relation == .notEqual else {
                throw .unsupportedExpression("an order with nil")
            }
            return relation == .equal ? absenceTest(key) : NotTest(test: absenceTest(key))
        case (.key(let key), .literal(let literal)):
            return try comparison(key, relation, literal)
        case (.orElse(let key, let standIn), .literal(let literal)):
            let whenAbsent = Self.holds(standIn, relation, literal)
            let present = BothTest(
                first: NotTest(test: absenceTest(key)), second: try comparison(key, relation, literal))
            return whenAbsent ? EitherTest(first: absenceTest(key), second: present) : present
        case (.masked(let key, let mask), .literal(let literal)):
            guard key == .mediaSubtypes, case .integer(let wanted) = literal else {
                throw mismatch(key, "has no bits, or they are compared with no whole number")
            }
            let value = UInt64(bitPattern: wanted)
            return maskTest(mask) { relation.holds($0, value) }
        case (.length(let key), .literal(let literal)):
            guard case .texts(let column) = key.column, let length = literal.number else {
                throw mismatch(key, "has no length")
            }
            return SlotTest { columns, slot in
                relation.holds(Double(column(columns).text(at: slot).count), length)
            }
        default:
            if let texts = try textComparison(left, relation, right) { return texts }
            return NumberTest(left: try number(left), relation: relation, right: try number(right))
        }
    }

    private static func number(_ term: AssetTerm) throws(FetchPredicateError) -> NumberTerm {
        switch term {
        case .literal(let literal):
            guard let number = literal.number else { throw .unsupportedExpression("a calculation with a text or nil") }
            return .constant(number)
        case .key(let key):
            guard let column = key.column?.term else { throw mismatch(key, "is not a number") }
            return column
        case .orElse(let key, let standIn):
            guard let number = standIn.number else { throw mismatch(key, "is not a number") }
            return .orElse(try self.number(.key(key)), number)
        case .masked(let key, _): throw mismatch(key, "has bits, which are compared with a constant only")
        case .length(let key): throw mismatch(key, "has a length, which is compared with a constant only")
        case .arithmetic(let left, let operation, let right):
            return .arithmetic(try number(left), operation, try number(right))
        }
    }

    private static func holds(_ one: Literal, _ relation: Relation, _ other: Literal) -> Bool {
        if let one = one.text, let other = other.text { return relation.holds(one, other) }
        guard let one = one.number, let other = other.number else { return relation == .notEqual }
        return relation.holds(one, other)
    }

    static func mismatch(_ key: AssetKey, _ reason: String) -> FetchPredicateError {
        .unsupportedComparison(key: key.rawValue, reason: reason)
    }
}
