/// Converts a format string to a condition. An error states the position of the character at which it was found.
struct PredicateParser<Key: FetchKey> {
    private let tokens: [PredicateLexer.Token]
    private let arguments: [any Sendable]
    private var place = 0
    private var usedArgumentCount = 0
    private var depth = 0
    /// The token index of the closing parenthesis, by the token index of the opening one.
    private let closings: [Int: Int]

    /// The greatest depth of nested parentheses and `NOT`s. No person writes a deeper predicate, and up to this depth
    /// the stack cannot overflow.
    private static var depthLimit: Int { 128 }

    private static var wordLimit: Int { 4096 }

    init(_ format: PredicateFormat) throws(FetchPredicateError) {
        tokens = try PredicateLexer.tokens(of: format.format)
        arguments = format.arguments
        guard tokens.count <= Self.wordLimit else {
            throw .syntax(position: tokens[Self.wordLimit].position, reason: "longer than \(Self.wordLimit) words")
        }
        var closings: [Int: Int] = [:]
        var open: [Int] = []
        for (place, token) in tokens.enumerated() {
            if token.kind == .symbol("(") { open.append(place) }
            if token.kind == .symbol(")"), let start = open.popLast() { closings[start] = place }
        }
        self.closings = closings
    }

    mutating func parse() throws(FetchPredicateError) -> Condition<Key> {
        let condition = try disjunction()
        guard current.kind == .end else { throw wrong("here the predicate should end") }
        guard usedArgumentCount == arguments.count else {
            throw .argumentCount(expected: usedArgumentCount, given: arguments.count)
        }
        return condition
    }

    // MARK: Reading tokens

    var current: PredicateLexer.Token { tokens[place] }

    func wrong(_ reason: String) -> FetchPredicateError { .syntax(position: current.position, reason: reason) }

    mutating func advance() { if place < tokens.count - 1 { place += 1 } }

    mutating func take(_ symbols: String...) -> Bool {
        guard case .symbol(let symbol) = current.kind, symbols.contains(symbol) else { return false }
        advance()
        return true
    }

    mutating func takeWord(_ words: String...) -> Bool {
        guard case .word(let word) = current.kind, words.contains(word.uppercased()) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: String) throws(FetchPredicateError) {
        guard take(symbol) else { throw wrong("'\(symbol)' is missing") }
    }

    /// Returns the next argument, for the placeholder at the current token, and goes on to the next token.
    mutating func takeArgument() throws(FetchPredicateError) -> any Sendable {
        guard usedArgumentCount < arguments.count else {
            let asked = tokens.count { if case .argument = $0.kind { true } else { false } }
            throw .argumentCount(expected: asked, given: arguments.count)
        }
        usedArgumentCount += 1
        advance()
        return arguments[usedArgumentCount - 1]
    }

    mutating func descend<Value>(
        _ body: (inout PredicateParser) throws(FetchPredicateError) -> Value
    ) throws(FetchPredicateError) -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw wrong("nested too deeply") }
        return try body(&self)
    }

    // MARK: Parsing the logical operators OR, AND and NOT

    private mutating func disjunction() throws(FetchPredicateError) -> Condition<Key> {
        var condition = try conjunction()
        while take("||") || takeWord("OR") { condition = .or(condition, try conjunction()) }
        return condition
    }

    private mutating func conjunction() throws(FetchPredicateError) -> Condition<Key> {
        var condition = try negation()
        while take("&&") || takeWord("AND") { condition = .and(condition, try negation()) }
        return condition
    }

    private mutating func negation() throws(FetchPredicateError) -> Condition<Key> {
        if take("!") || takeWord("NOT") {
            return .not(try descend { parser throws(FetchPredicateError) in try parser.negation() })
        }
        if takeWord("TRUEPREDICATE") { return .constant(true) }
        if takeWord("FALSEPREDICATE") { return .constant(false) }
        if current.kind == .symbol("("), !opensTerm {
            advance()
            let condition = try descend { parser throws(FetchPredicateError) in try parser.disjunction() }
            try expect(")")
            return condition
        }
        return try comparison()
    }

    /// Whether the parenthesis at the current token encloses a value, such as `(a + b)`, instead of a condition. It
    /// encloses a value if its closing parenthesis is followed by an operator on values.
    private var opensTerm: Bool {
        guard let closing = closings[place] else { return false }
        switch tokens[closing + 1].kind {
        case .symbol(let symbol):
            return ["==", "=", "!=", "<>", "<", ">", "<=", ">=", "=<", "=>", "&", "+", "-", "*", "/"].contains(symbol)
        case .word(let word):
            return ["IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"].contains(word.uppercased())
        default: return false
        }
    }
}
