extension FetchPredicateError: CustomStringConvertible {
    /// The text of the error.
    public var description: String {
        switch self {
        case .unsupportedKey(let key): "nothing can be fetched by \(key)"
        case .unsupportedComparison(let key, let reason): "\(key) cannot be compared so: \(reason)"
        case .unsupportedExpression(let part): "the expression has a part without a meaning here: \(part)"
        case .syntax(let position, let reason): "the format is wrong at character \(position): \(reason)"
        case .argumentCount(let expected, let given): "the format needs \(expected) arguments, and has \(given)"
        }
    }
}
