import Foundation

/// Which assets a fetch shall find: a `#Predicate` or a format string, compiled to scans over the library's columns.
///
/// Whatever cannot be compiled is an error here, where the predicate is made; a fetch never fails (rows 40 and 50).
public struct AssetPredicate: Sendable, Hashable {
    let condition: Condition<AssetKey>
    let test: any RowTest

    init(_ condition: Condition<AssetKey>) throws(FetchPredicateError) {
        self.condition = condition
        test = try RowTestCompiler.test(condition)
    }

    /// Reads a `#Predicate`. Captured values, comparisons, arithmetic, ranges, `contains`, `starts(with:)`, `if let` and
    /// `??` are understood, over the keys of table A2.1 and file size, file name, added date, latitude and longitude.
    public init(_ predicate: Predicate<Asset>) throws(FetchPredicateError) {
        try self.init(ConditionReading<AssetKey>().condition(predicate.expression))
    }

    /// Reads a format string of table A2.1.
    public init(_ format: PredicateFormat) throws(FetchPredicateError) {
        var parser = try PredicateParser<AssetKey>(format)
        try self.init(parser.parse())
    }

    public static func == (one: AssetPredicate, other: AssetPredicate) -> Bool { one.condition == other.condition }

    public func hash(into hasher: inout Hasher) { hasher.combine(condition) }
}

/// A predicate in words, as PhotoKit's users know it: `mediaType == %d AND favorite == YES`.
public struct PredicateFormat: Sendable {
    public let format: String
    let arguments: [any Sendable]

    /// - Parameter arguments: numbers for `%d` and its like, `%f`, texts, dates or lists for `%@`, names of keys for `%K`.
    public init(_ format: String, _ arguments: any Sendable...) {
        self.format = format
        self.arguments = arguments
    }

    public init(_ format: String, arguments: [any Sendable]) {
        self.format = format
        self.arguments = arguments
    }
}
