/// What creation dates are between, both ends included: by it, whole chunks are passed over.
///
/// In the bits that dates are sorted by, in which a date that is no number has a place as well. A date that is absent is
/// in no bounds but `all`.
struct DateBounds: Sendable, Equatable {
    /// At most the oldest.
    private(set) var oldest = UInt64.max
    /// At least the newest; 0 where there is none.
    private(set) var newest: UInt64 = 0

    static let all = DateBounds(oldest: 0, newest: .max)

    /// Of no date.
    init() {}

    private init(oldest: UInt64, newest: UInt64) {
        self.oldest = oldest
        self.newest = newest
    }

    init(_ dates: some Sequence<Double>) {
        for date in dates { include(date) }
    }

    /// Of all dates that may be in a relation to another. None that is absent, or no number, is in any but that of being
    /// another one.
    init(_ relation: Relation, _ date: Double) {
        let bits = SortKey.bits(date)
        switch relation {
        case .less, .lessOrEqual: self.init(oldest: 0, newest: bits)
        case .greater, .greaterOrEqual: self.init(oldest: bits, newest: .max)
        case .equal: self.init(oldest: bits, newest: bits)
        case .notEqual: self = .all
        }
    }

    /// Bounds of a chunk widen only: a date that leaves it is not looked for among the others.
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

    /// The narrowest bounds around both.
    func hull(_ other: DateBounds) -> DateBounds {
        DateBounds(oldest: min(oldest, other.oldest), newest: max(newest, other.newest))
    }
}
