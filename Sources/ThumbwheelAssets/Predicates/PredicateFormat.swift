import Foundation

/// A predicate as a format string in PhotoKit's syntax, such as `mediaType == %d AND favorite == YES`.
public struct PredicateFormat: Sendable {
    /// The text with its placeholders.
    public let format: String
    let arguments: [any Sendable]

    /// Makes a predicate from a text and the values of its placeholders.
    ///
    /// - Parameter arguments: the values of the placeholders: numbers for `%d`, `%f` and similar ones; texts, dates or
    ///   lists for `%@`; names of properties for `%K`.
    public init(_ format: String, _ arguments: any Sendable...) {
        self.format = format
        self.arguments = arguments
    }

    /// Makes a predicate from a text and the values of its placeholders.
    public init(_ format: String, arguments: [any Sendable]) {
        self.format = format
        self.arguments = arguments
    }
}
