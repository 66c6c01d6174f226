import Foundation

/// Converts the expression tree of a `#Predicate` to a `Condition`.
///
/// Foundation's node types are public, so each supported type can conform to `ConditionNode` or `TermNode`. Because the
/// types are generic, each child is checked for its conformance at run time. If a node does not conform, an error with
/// the name of its type is thrown.
struct ConditionReading<Key: FetchKey> {
    /// The variables that `if let` and `flatMap` introduce in the predicate. Each is stored with the key of the
    /// optional property whose value it has.
    var bound: [PredicateExpressions.VariableID: Key] = [:]

    func condition(_ node: any PredicateExpression) throws(FetchPredicateError) -> Condition<Key> {
        guard let readable = node as? any ConditionNode else { throw Self.notUnderstood(node) }
        return try readable.condition(self)
    }

    func term(_ node: any PredicateExpression) throws(FetchPredicateError) -> Term<Key> {
        guard let readable = node as? any TermNode else { throw Self.notUnderstood(node) }
        return try readable.term(self)
    }

    func key(_ node: any PredicateExpression) throws(FetchPredicateError) -> Key {
        guard case .key(let key) = try term(node) else { throw Self.notUnderstood(node) }
        return key
    }

    func literal(_ node: any PredicateExpression) throws(FetchPredicateError) -> Literal {
        guard case .literal(let literal) = try term(node) else { throw Self.notUnderstood(node) }
        return literal
    }

    func binding(_ variable: PredicateExpressions.VariableID, to key: Key) -> ConditionReading {
        var reading = self
        reading.bound[variable] = key
        return reading
    }

    static func notUnderstood(_ node: any PredicateExpression) -> FetchPredicateError {
        let name = String(describing: type(of: node))
        return .unsupportedExpression(String(name.prefix { $0 != "<" }))
    }
}

extension Literal {
    /// Converts a value that a predicate has captured; nil if no property that predicates can test has this type of
    /// value.
    init?(_ value: Any) {
        switch value {
        case let date as Date: self = .number(date.timeIntervalSinceReferenceDate)
        case let flag as Bool: self = .flag(flag)
        case let text as String: self = .text(text)
        case let identifier as AssetIdentifier: self = .text(identifier.localIdentifier)
        case let identifier as CollectionIdentifier: self = .text(identifier.localIdentifier)
        case let number as any BinaryInteger:
            guard let integer = Int64(exactly: number) else {
                self = .number(Double(number))
                return
            }
            self = .integer(integer)
        case let number as Double: self = .number(number)
        case let number as Float: self = .number(Double(number))
        case let optional as any OptionalValue:
            guard let value = optional.unwrapped else {
                self = .absent
                return
            }
            self.init(value)
        case let raw as any RawRepresentable: self.init(raw.anyRawValue)
        default: return nil
        }
    }
}

private protocol OptionalValue {
    var unwrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var unwrapped: Any? { self }
}

extension RawRepresentable {
    fileprivate var anyRawValue: Any { rawValue }
}
