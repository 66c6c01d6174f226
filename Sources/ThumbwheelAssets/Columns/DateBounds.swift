/// The earliest and the latest of a set of creation dates. A fetch skips a chunk if the chunk's bounds do not overlap
/// the bounds of the wanted dates.
///
/// The bounds are stored as integers that have the same order as the dates; see `SortKey.bits`. So a date that is NaN
/// (not a number) has a position too. Absent dates are left out. The bounds of a chunk with only absent dates overlap
/// no others except `all`.
struct DateBounds: Sendable, Equatable {
    /// The lower bound: no date is older. It is the greatest number if there is no date.
    private(set) var oldest = UInt64.max
    /// The upper bound: no date is newer. It is 0 if there is no date.
    private(set) var newest: UInt64 = 0

    static let all = DateBounds(oldest: 0, newest: .max)

    /// Makes bounds that contain no date.
    init() {}

    private init(oldest: UInt64, newest: UInt64) {
        self.oldest = oldest
        self.newest = newest
    }

    init(_ dates: some Sequence<Double>) {
        for date in dates { include(date) }
    }

    /// Makes bounds that contain every date for which the comparison with `date` holds. A `date` that is absent or NaN
    /// (not a number) needs no special treatment. For such a date, only `notEqual` can hold, and the bounds for
    /// `notEqual` are always `all`.
    init(_ relation: Relation, _ date: Double) {
        let bits = SortKey.bits(date)
        switch relation {
        case .less, .lessOrEqual: self.init(oldest: 0, newest: bits)
        case .greater, .greaterOrEqual: self.init(oldest: bits, newest: .max)
        case .equal: self.init(oldest: bits, newest: bits)
        case .notEqual: self = .all
        }
    }

    /// Extends the bounds so that they contain a date. If a date in a chunk is replaced, the bounds do not become
    /// narrower, because that would require a search through the other dates in the chunk.
    mutating func include(_ date: Double) {
        if AbsentNumber.isAbsent(date) { return }
        let bits = SortKey.bits(date)
        oldest = min(oldest, bits)
        newest = max(newest, bits)
    }

    @inline(__always)
    func overlaps(_ other: DateBounds) -> Bool { oldest <= other.newest && other.oldest <= newest }

    func covers(_ other: DateBounds) -> Bool { oldest <= other.oldest && newest >= other.newest }

    func intersection(_ other: DateBounds) -> DateBounds {
        DateBounds(oldest: max(oldest, other.oldest), newest: min(newest, other.newest))
    }

    /// Returns the narrowest bounds that contain both these bounds and `other`.
    func hull(_ other: DateBounds) -> DateBounds {
        DateBounds(oldest: min(oldest, other.oldest), newest: max(newest, other.newest))
    }
}
