/// The reason why a predicate or a sort descriptor cannot be used.
public enum FetchPredicateError: Error, Equatable, Sendable {
    /// The property with this name cannot be used in predicates or for sorting.
    case unsupportedKey(String)
    /// The property cannot be compared in this way: the other value has another type, or the operation is not defined
    /// for the property.
    case unsupportedComparison(key: String, reason: String)
    /// This part of the expression is not supported.
    case unsupportedExpression(String)
    /// The format string has a syntax error. The position is counted in characters, from 0.
    case syntax(position: Int, reason: String)
    /// The number of arguments differs from the number that the format string requires.
    case argumentCount(expected: Int, given: Int)
}
