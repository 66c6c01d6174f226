import Foundation

/// The condition that the assets of a fetch must meet: a `#Predicate` or a format string, compiled to scans over the
/// library's columns.
///
/// A condition that cannot be compiled is an error when the predicate is made; a fetch never fails. See
/// <doc:Semantics#Predicates-and-sort-keys>.
public struct AssetPredicate: Sendable, Hashable {
    let condition: Condition<AssetKey>
    let test: any RowTest

    init(_ condition: Condition<AssetKey>) throws(FetchPredicateError) {
        self.condition = condition
        test = try RowTestCompiler.test(condition)
    }

    /// Reads a `#Predicate`.
    ///
    /// It may use captured values, comparisons, arithmetic, ranges, `contains`, `starts(with:)`, `if let` and `??`, with
    /// the keys listed in <doc:Semantics#Predicates-and-sort-keys>.
    ///
    /// - Throws: `FetchPredicateError` for a key or an operation that fetches do not support.
    public init(_ predicate: Predicate<Asset>) throws(FetchPredicateError) {
        try self.init(ConditionReading<AssetKey>().condition(predicate.expression))
    }

    /// Reads a format string; see <doc:Semantics#Predicates-and-sort-keys>.
    ///
    /// - Throws: `FetchPredicateError` for a text that is not a predicate, or that names a property that assets do not
    ///   have.
    public init(_ format: PredicateFormat) throws(FetchPredicateError) {
        var parser = try PredicateParser<AssetKey>(format)
        try self.init(parser.parse())
    }

    public static func == (one: AssetPredicate, other: AssetPredicate) -> Bool { one.condition == other.condition }

    public func hash(into hasher: inout Hasher) { hasher.combine(condition) }
}
