extension PredicateParser {
    mutating func comparison() throws(FetchPredicateError) -> Condition<Key> {
        let left = try term()
        if takeWord("IN") { return .isIn(left, try list()) }
        if takeWord("BETWEEN") {
            let bounds = try list()
            guard bounds.count == 2 else { throw wrong("BETWEEN takes two bounds") }
            return .and(
                .compare(left, .greaterOrEqual, .literal(bounds[0])), .compare(left, .lessOrEqual, .literal(bounds[1])))
        }
        if let textPlace = takeTextOperator() {
            let modifiers = try modifiers()
            guard case .literal(.text(let wanted)) = try term() else { throw wrong("here a text is needed") }
            return .text(
                left,
                TextMatch(
                    textPlace, wanted, ignoresCase: modifiers.contains("c"), ignoresDiacritics: modifiers.contains("d"))
            )
        }
        let position = current.position
        let relation = try relation()
        let modifiers = try modifiers()
        let right = try term()
        if !modifiers.isEmpty {
            guard relation == .equal || relation == .notEqual, case .literal(.text(let wanted)) = right else {
                throw .syntax(position: position, reason: "options in brackets are for texts that are to be equal")
            }
            let match = TextMatch(
                .whole, wanted, ignoresCase: modifiers.contains("c"), ignoresDiacritics: modifiers.contains("d"))
            return Condition.text(left, match).negated(if: relation == .notEqual)
        }
        if left.someKey == nil, right.someKey == nil {
            throw .syntax(position: position, reason: "neither side names a key")
        }
        return relation == .notEqual
            ? .not(equality(left, right))
            : relation == .equal
                ? equality(left, right) : .compare(left, relation, right)
    }

    private func equality(_ left: Term<Key>, _ right: Term<Key>) -> Condition<Key> {
        if case .literal(.absent) = right, let key = left.someKey { return .isAbsent(key) }
        if case .literal(.absent) = left, let key = right.someKey { return .isAbsent(key) }
        return .compare(left, .equal, right)
    }

    private mutating func takeTextOperator() -> TextMatch.Place? {
        if takeWord("CONTAINS") { return .anywhere }
        if takeWord("BEGINSWITH") { return .beginning }
        if takeWord("ENDSWITH") { return .end }
        if takeWord("LIKE") { return .pattern }
        return nil
    }

    private mutating func relation() throws(FetchPredicateError) -> Relation {
        if take("==", "=") { return .equal }
        if take("!=", "<>") { return .notEqual }
        if take("<=", "=<") { return .lessOrEqual }
        if take(">=", "=>") { return .greaterOrEqual }
        if take("<") { return .less }
        if take(">") { return .greater }
        throw wrong("here a comparison is missing")
    }

    /// Reads the options of a text comparison: `[c]` ignores case, `[d]` ignores diacritics, `[cd]` ignores both.
    private mutating func modifiers() throws(FetchPredicateError) -> String {
        guard take("[") else { return "" }
        guard case .word(let letters) = current.kind, letters.allSatisfy({ "cd".contains($0) }) else {
            throw wrong("the options of a text are c and d")
        }
        advance()
        try expect("]")
        return letters
    }

    /// Reads a list of constants, such as `{1, 2, 3}`, or a placeholder whose argument is a list.
    private mutating func list() throws(FetchPredicateError) -> [Literal] {
        if case .argument(let kind) = current.kind {
            let position = current.position
            let argument = try takeArgument()
            guard kind == "@", let sequence = argument as? any Sequence else {
                throw .syntax(position: position, reason: "here a list is needed")
            }
            return try Self.literals(sequence, position)
        }
        try expect("{")
        var literals: [Literal] = []
        while !take("}") {
            if !literals.isEmpty { try expect(",") }
            guard case .literal(let literal) = try term() else { throw wrong("a list holds constants") }
            literals.append(literal)
        }
        return literals
    }

    private static func literals(_ sequence: some Sequence, _ position: Int) throws(FetchPredicateError) -> [Literal] {
        var literals: [Literal] = []
        for element in sequence {
            guard let literal = Literal(element) else {
                throw .syntax(position: position, reason: "the list holds a \(type(of: element))")
            }
            literals.append(literal)
        }
        return literals
    }
}
