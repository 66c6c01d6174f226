import Foundation

/// The assets that a fetch finds: a `#Predicate` or a format string, compiled to scans over the library's columns.
///
/// Whatever cannot be compiled is an error here, where the predicate is made; a fetch never fails. See
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
    /// Captured values, comparisons, arithmetic, ranges, `contains`, `starts(with:)`, `if let` and `??` are
    /// understood, over the keys of <doc:Semantics#Predicates-and-sort-keys>.
    ///
    /// - Throws: `FetchPredicateError` for a key or an operation that fetches do not have.
    public init(_ predicate: Predicate<Asset>) throws(FetchPredicateError) {
        try self.init(ConditionReading<AssetKey>().condition(predicate.expression))
    }

    /// Reads a format string; see <doc:Semantics#Predicates-and-sort-keys>.
    ///
    /// - Throws: `FetchPredicateError` for a text that is no predicate, or that names what assets do not have.
    public init(_ format: PredicateFormat) throws(FetchPredicateError) {
        var parser = try PredicateParser<AssetKey>(format)
        try self.init(parser.parse())
    }

    public static func == (one: AssetPredicate, other: AssetPredicate) -> Bool { one.condition == other.condition }

    public func hash(into hasher: inout Hasher) { hasher.combine(condition) }
}
