/// What the creation dates of a chunk are between: by it, whole chunks are passed over.
///
/// In the bits that dates are sorted by, in which a date that is no number has a place as well.
struct DateBounds: Sendable, Equatable {
    /// At most the oldest of the dates that are there.
    private(set) var oldest = UInt64.max
    /// At least the newest of all; 0 where none is there.
    private(set) var newest: UInt64 = 0

    init() {}

    init(_ dates: some Sequence<Double>) {
        for date in dates { include(date) }
    }

    /// Bounds widen only: a date that leaves a chunk is not looked for among the others.
    mutating func include(_ date: Double) {
        if AbsentNumber.isAbsent(date) { return }
        let bits = SortKey.bits(date)
        oldest = min(oldest, bits)
        newest = max(newest, bits)
    }

    func covers(_ other: DateBounds) -> Bool { oldest <= other.oldest && newest >= other.newest }

    /// Whether a date between the bounds may be in a relation to another. None that is absent, or no number, is in any but
    /// that of being another one.
    func mayHold(_ relation: Relation, _ date: Double) -> Bool {
        let bits = SortKey.bits(date)
        return switch relation {
        case .less: oldest < bits
        case .lessOrEqual: oldest <= bits
        case .greater: newest > bits
        case .greaterOrEqual: newest >= bits
        case .equal: oldest <= bits && bits <= newest
        case .notEqual: true
        }
    }
}
