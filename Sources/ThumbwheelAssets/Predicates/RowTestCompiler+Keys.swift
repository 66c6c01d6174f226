extension RowTestCompiler {
    /// Makes the test that compares a property with a constant.
    static func comparison(
        _ key: AssetKey, _ relation: Relation, _ literal: Literal
    ) throws(FetchPredicateError) -> any RowTest {
        if key.kind == .flag {
            guard relation == .equal || relation == .notEqual, let number = literal.number, number == 0 || number == 1
            else { throw mismatch(key, "can only be equal to true or false, or not") }
            let test = try flagTest(key)
            return (number == 1) == (relation == .equal) ? test : NotTest(test: test)
        }
        switch key.column {
        case .texts(let column):
            guard let text = literal.text else { throw mismatch(key, "is a text") }
            return textComparison(column, relation, text)
        case .identifiers:
            guard let text = literal.text, relation == .equal || relation == .notEqual else {
                throw mismatch(key, "can only be equal to an identifier, or not")
            }
            let test = identifierTest([text])
            return relation == .equal ? test : NotTest(test: test)
        case .bytes(let column): return try wholeTest(key, column, relation, literal)
        case .int32s(let column): return try wholeTest(key, column, relation, literal)
        case .uint32s(let column): return try wholeTest(key, column, relation, literal)
        case .int64s(let column): return try wholeTest(key, column, relation, literal)
        case .bits(let column): return try wholeTest(key, column, relation, literal)
        case .numbers(let column, let absent):
            guard let number = literal.number else { throw mismatch(key, "is a number or a date") }
            // An absent number is stored as a NaN (not a number). In both tests below, `!=` is true for a NaN. Swift
            // gives the same result: `nil != number` is true.
            if key == .creationDate { return CreationDateTest(relation, number) }
            return ComparisonTest(column: column, absent: absent, relation: relation, value: number)
        case .flag, nil: throw mismatch(key, "cannot be compared")
        }
    }

    /// Makes the test that compares a column of integers with a constant. A constant without a fractional part is
    /// compared as an integer of the column's type. So integers that a double cannot represent are compared exactly.
    private static func wholeTest<Value: FixedWidthInteger & Sendable>(
        _ key: AssetKey, _ column: @escaping @Sendable (ChunkColumns) -> [Value], _ relation: Relation,
        _ literal: Literal
    ) throws(FetchPredicateError) -> any RowTest {
        guard let number = literal.number else { throw mismatch(key, "is a number") }
        let whole: Int64
        if case .integer(let integer) = literal {
            whole = integer
        } else if let integer = Int64(exactly: number) {
            whole = integer
        } else {
            guard let term = key.column?.term else { throw mismatch(key, "is a number") }
            return NumberTest(left: term, relation: relation, right: .constant(number))
        }
        guard let value = Value(exactly: whole) else {
            // The constant lies outside the range of the column's type: it is smaller than every value if it is
            // negative, and otherwise greater than every value. So the test has the same result for every row. To find
            // it, a value and the constant are replaced by two small numbers: 1 and 0 if the constant is smaller, or 0
            // and 1 if it is greater.
            return ConstantTest(holds: relation.holds(whole < 0 ? 1 : 0, whole < 0 ? 0 : 1))
        }
        return ComparisonTest(column: column, absent: 0, relation: relation, value: value)
    }

    static func identifierTest(_ texts: [String]) -> any RowTest {
        let identifiers = Set(texts.compactMap { AssetIdentifier(localIdentifier: $0) })
        let holds: @Sendable (AssetIdentifier) -> Bool
        if identifiers.count == 1, let identifier = identifiers.first {
            holds = { $0 == identifier }
        } else {
            holds = { identifiers.contains($0) }
        }
        return ColumnTest(column: { $0.identifiers }, absent: AssetIdentifier(high: 0, low: 0), holds: holds)
    }

    static func membership(_ term: AssetTerm, _ literals: [Literal]) throws(FetchPredicateError) -> any RowTest {
        guard case .key(let key) = term else {
            throw .unsupportedExpression("membership of something that is calculated")
        }
        switch key.column {
        case .identifiers: return identifierTest(literals.compactMap(\.text))
        case .texts(let column):
            let texts = Set(literals.compactMap(\.text))
            let hasAbsent = literals.contains(.absent)
            return SlotTest { columns, slot in
                let column = column(columns)
                if key == .burstIdentifier, column.isEmpty(at: slot) { return hasAbsent }
                return texts.contains(column.text(at: slot))
            }
        default: break
        }
        // For a short list, a few comparisons are faster than looking up each value in a set.
        if literals.count <= 4 {
            var test: any RowTest = ConstantTest(holds: false)
            for literal in literals {
                let one = try Self.test(.compare(term, .equal, .literal(literal)))
                test = test is ConstantTest ? one : EitherTest(first: test, second: one)
            }
            return test
        }
        let numbers = Set(literals.compactMap(\.number))
        if case .numbers(let column, let absent) = key.column {
            let hasAbsent = literals.contains(.absent)
            return ColumnTest(column: column, absent: absent) {
                AbsentNumber.isAbsent($0) ? hasAbsent : numbers.contains($0)
            }
        }
        guard let values = key.column?.term else { throw mismatch(key, "cannot be in a list") }
        return NumberSetTest(term: values, numbers: numbers)
    }
}

private struct NumberSetTest: RowTest {
    let term: NumberTerm
    let numbers: Set<Double>

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        let values = term.values(in: chunk)
        var found = RowMask.none
        mask.forEachSlot { slot in
            if numbers.contains(values[slot]) { found.insert(slot) }
        }
        mask = found
    }
}
