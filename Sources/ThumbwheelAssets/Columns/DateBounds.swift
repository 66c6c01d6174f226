/// The lower and upper bounds of a set of creation dates, both included, by which a fetch skips whole chunks.
///
/// The bounds are stored as the bits that dates are sorted by, so that a NaN (not a number) date also has a place. An
/// absent date is in no bounds except `all`.
struct DateBounds: Sendable, Equatable {
    /// The lower bound, at or before the oldest date.
    private(set) var oldest = UInt64.max
    /// The upper bound, at or after the newest date; 0 if there is no date.
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

    /// Makes the bounds of all dates that may have a relation to `date`. Absent and NaN dates satisfy no relation except
    /// `notEqual`.
    init(_ relation: Relation, _ date: Double) {
        let bits = SortKey.bits(date)
        switch relation {
        case .less, .lessOrEqual: self.init(oldest: 0, newest: bits)
        case .greater, .greaterOrEqual: self.init(oldest: bits, newest: .max)
        case .equal: self.init(oldest: bits, newest: bits)
        case .notEqual: self = .all
        }
    }

    /// Widens the bounds to contain a date. The bounds of a chunk never shrink, because that would take a search through
    /// its other dates.
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

    /// The narrowest bounds that contain both bounds.
    func hull(_ other: DateBounds) -> DateBounds {
        DateBounds(oldest: min(oldest, other.oldest), newest: max(newest, other.newest))
    }
}
