import Foundation

/// A condition that the assets in a fetch must meet. It is made from a `#Predicate` or a format string, and converted
/// to tests of the library's columns.
///
/// If the condition cannot be converted, making the predicate throws, so that a fetch never fails. See
/// <doc:Semantics#Predicates-and-sort-keys>.
public struct AssetPredicate: Sendable, Hashable {
    let condition: Condition<AssetKey>
    let test: any RowTest

    init(_ condition: Condition<AssetKey>) throws(FetchPredicateError) {
        self.condition = condition
        test = try RowTestCompiler.test(condition)
    }

    /// Makes a condition from a `#Predicate`.
    ///
    /// The predicate may use captured values, comparisons, arithmetic, ranges, `contains`, `starts(with:)`, `if let`
    /// and `??`, with the properties that are listed in <doc:Semantics#Predicates-and-sort-keys>.
    ///
    /// - Throws: `FetchPredicateError` if the predicate uses a property or an operation that fetches do not support.
    public init(_ predicate: Predicate<Asset>) throws(FetchPredicateError) {
        try self.init(ConditionReading<AssetKey>().condition(predicate.expression))
    }

    /// Makes a condition from a format string; see <doc:Semantics#Predicates-and-sort-keys>.
    ///
    /// - Throws: `FetchPredicateError` if the text is not a predicate, or names a property that assets do not have.
    public init(_ format: PredicateFormat) throws(FetchPredicateError) {
        var parser = try PredicateParser<AssetKey>(format)
        try self.init(parser.parse())
    }

    public static func == (one: AssetPredicate, other: AssetPredicate) -> Bool { one.condition == other.condition }

    public func hash(into hasher: inout Hasher) { hasher.combine(condition) }
}
