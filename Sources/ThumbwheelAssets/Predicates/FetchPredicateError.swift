/// Why a predicate or a sort cannot be used.
public enum FetchPredicateError: Error, Equatable, Sendable {
    /// The property cannot be fetched by.
    case unsupportedKey(String)
    /// The key cannot be compared so: another type of value, or an operation that it does not have.
    case unsupportedComparison(key: String, reason: String)
    /// A part of the expression that has no meaning here.
    case unsupportedExpression(String)
    /// A format string that is none; the position counts characters from 0.
    case syntax(position: Int, reason: String)
    /// A format string asks for more arguments than there are, or for fewer.
    case argumentCount(expected: Int, given: Int)
}
