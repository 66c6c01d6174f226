extension RowTestCompiler {
    static func textTest(_ term: AssetTerm, _ match: TextMatch) throws(FetchPredicateError) -> any RowTest {
        let (key, standIn): (AssetKey, String?) =
            switch term {
            case .key(let key): (key, nil)
            case .orElse(let key, let literal): (key, literal.text)
            default: throw .unsupportedExpression("a search in something that is calculated")
            }
        guard case .texts(let column) = key.column else { throw mismatch(key, "is not a text") }
        let whenAbsent = standIn.map { match.matches($0) } ?? false
        let isOptional = key == .burstIdentifier
        return SlotTest { columns, slot in
            let texts = column(columns)
            let range = texts.range(at: slot)
            if isOptional, range.isEmpty { return whenAbsent }
            return match.matches(texts.bytes[range])
        }
    }

    static func textComparison(
        _ column: @escaping @Sendable (ChunkColumns) -> TextColumn, _ relation: Relation, _ text: String
    ) -> any RowTest {
        if relation == .equal || relation == .notEqual {
            let match = TextMatch(.whole, text)
            let test = SlotTest { columns, slot in
                let texts = column(columns)
                return match.matches(texts.bytes[texts.range(at: slot)])
            }
            return relation == .equal ? test : NotTest(test: test)
        }
        return SlotTest { columns, slot in relation.holds(column(columns).text(at: slot), text) }
    }

    /// Makes the test that compares two properties that are texts; nil if the terms are not two such properties.
    static func textComparison(
        _ left: AssetTerm, _ relation: Relation, _ right: AssetTerm
    ) throws(FetchPredicateError) -> (any RowTest)? {
        guard case .key(let one) = left, case .key(let other) = right, case .texts(let first) = one.column,
            case .texts(let second) = other.column
        else { return nil }
        return SlotTest { columns, slot in
            relation.holds(first(columns).text(at: slot), second(columns).text(at: slot))
        }
    }
}
