/// The reason why a predicate or a sort descriptor cannot be used.
public enum FetchPredicateError: Error, Equatable, Sendable {
    /// The property with this name cannot be used in predicates or for sorting.
    case unsupportedKey(String)
    /// The key does not support the comparison, because the value has another type or the operation is not defined for
    /// the key.
    case unsupportedComparison(key: String, reason: String)
    /// A part of the expression is not supported.
    case unsupportedExpression(String)
    /// The format string is malformed; the position counts characters from 0.
    case syntax(position: Int, reason: String)
    /// The format string needs more or fewer arguments than it was given.
    case argumentCount(expected: Int, given: Int)
}
