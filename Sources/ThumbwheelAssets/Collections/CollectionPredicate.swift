import Foundation

/// A condition that the collections in a fetch must meet. Because a library has few collections, each fetch evaluates
/// the condition for every collection.
public struct CollectionPredicate: Sendable, Hashable {
    let condition: Condition<CollectionKey>

    /// Makes a condition from a `#Predicate`, which may use the local identifier, the title, the dates and the
    /// estimated asset count.
    ///
    /// - Throws: `FetchPredicateError` if the predicate uses a property or an operation that collections do not have.
    public init(_ predicate: Predicate<AssetCollection>) throws(FetchPredicateError) {
        condition = try ConditionReading<CollectionKey>().condition(predicate.expression)
        try Self.check(condition)
    }

    /// Makes a condition from a format string such as `localizedTitle CONTAINS[c] %@`; see
    /// <doc:Semantics#Predicates-and-sort-keys>.
    ///
    /// - Throws: `FetchPredicateError` if the text is not a predicate, or names a property that collections do not
    ///   have.
    public init(_ format: PredicateFormat) throws(FetchPredicateError) {
        var parser = try PredicateParser<CollectionKey>(format)
        condition = try parser.parse()
        try Self.check(condition)
    }

    func holds(_ values: CollectionValues) -> Bool { Self.holds(condition, values) }

    private static func holds(_ condition: Condition<CollectionKey>, _ values: CollectionValues) -> Bool {
        switch condition {
        case .constant(let holds): holds
        case .and(let one, let other): holds(one, values) && holds(other, values)
        case .or(let one, let other): holds(one, values) || holds(other, values)
        case .not(let condition): !holds(condition, values)
        case .flag: false
        case .isAbsent(let key): values[key] == .absent
        case .compare(let left, let relation, let right): compare(value(left, values), relation, value(right, values))
        case .isIn(let term, let literals): literals.contains { compare(value(term, values), .equal, $0) }
        case .text(let term, let match): value(term, values).text.map { match.matches($0) } ?? false
        }
    }

    private static func compare(_ one: Literal, _ relation: Relation, _ other: Literal) -> Bool {
        if let one = one.text, let other = other.text { return relation.holds(one, other) }
        guard let one = one.number, let other = other.number else { return relation == .equal && one == other }
        return relation.holds(one, other)
    }

    private static func value(_ term: Term<CollectionKey>, _ values: CollectionValues) -> Literal {
        switch term {
        case .key(let key): return values[key]
        case .literal(let literal): return literal
        case .orElse(let key, let standIn): return values[key] == .absent ? standIn : values[key]
        case .masked(let key, let mask):
            guard case .integer(let integer) = values[key] else { return .absent }
            return .integer(integer & Int64(bitPattern: mask))
        case .length(let key): return values[key].text.map { .integer(Int64($0.count)) } ?? .absent
        case .arithmetic(let left, let operation, let right):
            guard let left = value(left, values).number, let right = value(right, values).number else { return .absent }
            return .number(operation.apply(left, right))
        }
    }

    /// Throws if a condition compares a text with a number or a date, or searches for a text in a number or a date. No
    /// collection could meet such a condition.
    private static func check(_ condition: Condition<CollectionKey>) throws(FetchPredicateError) {
        switch condition {
        case .and(let one, let other), .or(let one, let other):
            try check(one)
            try check(other)
        case .not(let condition): try check(condition)
        case .compare(.key(let key), _, .literal(let literal)), .compare(.literal(let literal), _, .key(let key)):
            let isText = key.kind == .text || key.kind == .identifier
            guard isText ? literal.number == nil : literal.text == nil else {
                throw .unsupportedComparison(
                    key: key.rawValue, reason: isText ? "is a text" : "is a number or a date")
            }
        case .text(let term, _):
            if let key = term.someKey, key.kind != .text, key.kind != .identifier {
                throw .unsupportedComparison(key: key.rawValue, reason: "is not a text")
            }
        default: break
        }
    }
}
