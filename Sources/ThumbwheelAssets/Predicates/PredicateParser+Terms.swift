extension PredicateParser {
    mutating func term() throws(FetchPredicateError) -> Term<Key> {
        var term = try product()
        while true {
            if take("+") {
                term = .arithmetic(term, .add, try product())
            } else if take("-") {
                term = .arithmetic(term, .subtract, try product())
            } else {
                return term
            }
        }
    }

    private mutating func product() throws(FetchPredicateError) -> Term<Key> {
        var term = try masked()
        while true {
            if take("*") {
                term = .arithmetic(term, .multiply, try masked())
            } else if take("/") {
                term = .arithmetic(term, .divide, try masked())
            } else {
                return term
            }
        }
    }

    private mutating func masked() throws(FetchPredicateError) -> Term<Key> {
        let left = try value()
        guard take("&") else { return left }
        switch (left, try value()) {
        case (.key(let key), .literal(.integer(let mask))), (.literal(.integer(let mask)), .key(let key)):
            return .masked(key, UInt64(bitPattern: mask))
        default: throw wrong("'&' takes a key and a whole number")
        }
    }

    private mutating func value() throws(FetchPredicateError) -> Term<Key> {
        let token = current
        switch token.kind {
        case .number(let literal):
            advance()
            return .literal(literal)
        case .text(let text):
            advance()
            return .literal(.text(text))
        case .symbol("("):
            advance()
            let term = try descend { parser throws(FetchPredicateError) in try parser.term() }
            try expect(")")
            return term
        case .symbol("-"):
            advance()
            switch try descend({ parser throws(FetchPredicateError) in try parser.value() }) {
            case .literal(.integer(let integer)): return .literal(.integer(0 &- integer))
            case .literal(.number(let number)): return .literal(.number(-number))
            case let term: return .arithmetic(.literal(.integer(0)), .subtract, term)
            }
        case .word(let word):
            advance()
            return try self.word(word, at: token.position)
        case .argument(let kind):
            let argument = try takeArgument()
            return try self.argument(argument, kind, at: token.position)
        case .symbol, .end: throw wrong("here a key or a value is missing")
        }
    }

    private func word(_ word: String, at position: Int) throws(FetchPredicateError) -> Term<Key> {
        switch word.uppercased() {
        case "YES", "TRUE": return .literal(.flag(true))
        case "NO", "FALSE": return .literal(.flag(false))
        case "NIL", "NULL": return .literal(.absent)
        default: return .key(try key(word, at: position))
        }
    }

    private func key(_ name: String, at position: Int) throws(FetchPredicateError) -> Key {
        let name = name.hasPrefix("SELF.") ? String(name.dropFirst("SELF.".count)) : name
        if ["AND", "OR", "NOT", "IN", "CONTAINS", "LIKE", "BETWEEN", "MATCHES"].contains(name.uppercased()) {
            throw .syntax(position: position, reason: "'\(name)' stands where a key or a value is needed")
        }
        guard let key = Key.named(name) else { throw .unsupportedKey(name) }
        return key
    }

    private func argument(
        _ argument: any Sendable, _ kind: String, at position: Int
    ) throws(FetchPredicateError) -> Term<Key> {
        if kind == "K" {
            guard let name = argument as? String else {
                throw .syntax(position: position, reason: "%K stands for the name of a key")
            }
            return .key(try key(name, at: position))
        }
        let value: any Sendable = (argument as? any AssetReference)?.identifier ?? argument
        guard let literal = Literal(value) else {
            throw .syntax(position: position, reason: "a \(type(of: argument)) can be no argument")
        }
        if kind == "@" { return .literal(literal) }
        guard literal.number != nil else {
            throw .syntax(position: position, reason: "%\(kind) stands for a number")
        }
        return .literal(literal)
    }
}
