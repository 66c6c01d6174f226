/// Splits a format string into tokens.
struct PredicateLexer {
    struct Token: Equatable {
        enum Kind: Equatable {
            case word(String)
            case symbol(String)
            case number(Literal)
            case text(String)
            /// The letter that states the type of a placeholder: `d` for `%d` and `%ld`, `@` for `%@`, `K` for `%K`.
            case argument(String)
            case end
        }

        let kind: Kind
        /// The position of the token, in characters from the start of the format string.
        let position: Int
    }

    private let characters: [Character]
    private var position = 0

    init(_ format: String) {
        characters = Array(format)
    }

    static func tokens(of format: String) throws(FetchPredicateError) -> [Token] {
        var lexer = PredicateLexer(format)
        var tokens: [Token] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private static let symbols = [
        "==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",",
        "&",
        "+", "-", "*", "/",
    ]

    private mutating func next() throws(FetchPredicateError) -> Token {
        while position < characters.count, characters[position].isWhitespace { position += 1 }
        let start = position
        guard position < characters.count else { return Token(kind: .end, position: start) }
        let character = characters[position]
        if character == "\"" || character == "'" { return Token(kind: .text(try quoted(character)), position: start) }
        if character.isASCII, character.isNumber { return Token(kind: .number(try number()), position: start) }
        if character == "%" { return Token(kind: .argument(try argument()), position: start) }
        if character.isLetter || character == "_" || character == "#" {
            let word = run { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "#" }
            return Token(kind: .word(word), position: start)
        }
        for symbol in Self.symbols where characters[position...].starts(with: symbol) {
            position += symbol.count
            return Token(kind: .symbol(symbol), position: start)
        }
        throw .syntax(position: start, reason: "'\(character)' means nothing here")
    }

    private mutating func run(_ belongs: (Character) -> Bool) -> String {
        let start = position
        while position < characters.count, belongs(characters[position]) { position += 1 }
        return String(characters[start..<position])
    }

    private mutating func quoted(_ quote: Character) throws(FetchPredicateError) -> String {
        let start = position
        position += 1
        var text = ""
        while position < characters.count {
            let character = characters[position]
            position += 1
            if character == quote { return text }
            if character == "\\", position < characters.count {
                text.append(characters[position])
                position += 1
            } else {
                text.append(character)
            }
        }
        throw .syntax(position: start, reason: "the quotation does not end")
    }

    private mutating func number() throws(FetchPredicateError) -> Literal {
        let start = position
        var text = run { $0.isASCII && ($0.isNumber || $0.isLetter || $0 == ".") }
        if text.last == "e" || text.last == "E", position < characters.count, "+-".contains(characters[position]) {
            text.append(characters[position])
            position += 1
            text += run { $0.isASCII && $0.isNumber }
        }
        if text.hasPrefix("0x"), let integer = Int64(text.dropFirst(2), radix: 16) { return .integer(integer) }
        if let integer = Int64(text) { return .integer(integer) }
        if let number = Double(text), number.isFinite { return .number(number) }
        throw .syntax(position: start, reason: "'\(text)' is no number")
    }

    private mutating func argument() throws(FetchPredicateError) -> String {
        let start = position
        position += 1
        if position < characters.count, characters[position] == "@" || characters[position] == "K" {
            position += 1
            return String(characters[position - 1])
        }
        let letters = run { "hlqzdiuxXfFgGeE".contains($0) }
        guard let last = letters.last, "diuxXfFgGeE".contains(last) else {
            throw .syntax(position: start, reason: "'%\(letters)' stands for no argument")
        }
        return String(last)
    }
}
