/// A piece of HTML.
///
/// Values that are put into its literals are escaped unless they are markup themselves. So a name from outside (a processor, a
/// file, a command line) can only get into a page as text, and nobody has to remember to escape it.
struct Markup: ExpressibleByStringInterpolation, Sendable, Equatable {
    private(set) var html: String

    init(stringLiteral html: String) {
        self.html = html
    }

    init(stringInterpolation: StringInterpolation) {
        html = stringInterpolation.html
    }

    /// Joins pieces one after another, each on a line of its own.
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

        /// Appends a character, escaped so that it is right in text and inside either kind of quotes.
        private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\n", "\t": html.unicodeScalars.append(scalar)
            // Control characters are replaced, because HTML has no way to write them.
            case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}": html += "\u{FFFD}"
            default: html.unicodeScalars.append(scalar)
            }
        }
    }
}
