/// A piece of HTML.
///
/// What is put into its literals is escaped unless it is markup itself: a name from outside (a processor, a file, a
/// command line) can get into a page as text only, and nobody has to remember to escape it.
struct Markup: ExpressibleByStringInterpolation, Sendable, Equatable {
    private(set) var html: String

    init(stringLiteral html: String) {
        self.html = html
    }

    init(stringInterpolation: StringInterpolation) {
        html = stringInterpolation.html
    }

    /// Pieces one after another, a line each.
    init(_ pieces: some Sequence<Markup>) {
        html = pieces.map(\.html).joined(separator: "\n")
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            html.reserveCapacity(literalCapacity * 2)
        }

        mutating func appendLiteral(_ literal: String) { html += literal }
        mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
        mutating func appendInterpolation(_ number: Int) { html += String(number) }
        mutating func appendInterpolation(_ text: String) {
            for scalar in text.unicodeScalars { appendEscaped(scalar) }
        }

        /// Right in text and inside either kind of quotes.
        private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\n", "\t": html.unicodeScalars.append(scalar)
            // HTML has no way to write control characters.
            case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}": html += "\u{FFFD}"
            default: html.unicodeScalars.append(scalar)
            }
        }
    }
}
