/// The lower and the upper bound of some creation dates; both bounds are included. A fetch skips a chunk whose bounds
/// do not overlap the bounds of the wanted dates.
///
/// The bounds are stored as the bits that dates are sorted by, so that a NaN (not a number) date also has a place.
/// Absent dates are not counted. A chunk that has only absent dates therefore overlaps no bounds except `all`.
struct DateBounds: Sendable, Equatable {
    /// The lower bound, at or before the oldest date; the greatest number if there is no date.
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

    /// Makes bounds that contain every date for which the relation to `date` holds. For absent and NaN dates, only
    /// `notEqual` holds; its bounds are `all`.
    init(_ relation: Relation, _ date: Double) {
        let bits = SortKey.bits(date)
        switch relation {
        case .less, .lessOrEqual: self.init(oldest: 0, newest: bits)
        case .greater, .greaterOrEqual: self.init(oldest: bits, newest: .max)
        case .equal: self.init(oldest: bits, newest: bits)
        case .notEqual: self = .all
        }
    }

    /// Widens the bounds to contain a date. If a date of the chunk is replaced, its bounds do not shrink, because that
    /// would take a search through the chunk's other dates.
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

    /// The narrowest bounds that contain both these bounds and `other`.
    func hull(_ other: DateBounds) -> DateBounds {
        DateBounds(oldest: min(oldest, other.oldest), newest: max(newest, other.newest))
    }
}
