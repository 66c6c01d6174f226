import Foundation

/// A predicate in words, as PhotoKit's users know it: `mediaType == %d AND favorite == YES`.
public struct PredicateFormat: Sendable {
    /// The text with its placeholders.
    public let format: String
    let arguments: [any Sendable]

    /// - Parameter arguments: numbers for `%d` and its like, `%f`, texts, dates or lists for `%@`, names of keys for `%K`.
    public init(_ format: String, _ arguments: any Sendable...) {
        self.format = format
        self.arguments = arguments
    }

    /// Makes a predicate of a text and the values of its placeholders.
    public init(_ format: String, arguments: [any Sendable]) {
        self.format = format
        self.arguments = arguments
    }
}
