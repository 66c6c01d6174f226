/// The account in bytes that pays for all memory held for images; see <doc:Semantics#The-memory-budget>.
///
/// A plain value: its owner decides what is given up when something does not fit.
package struct MemoryBudget: Sendable {
    /// The uses of the budget.
    package enum Purpose: Int, CaseIterable, Sendable {
        /// Bitmaps held by the cache.
        case cache
        /// The same in fewer bytes.
        case packed
        /// Output and working memory of renders that run.
        case rendering
        /// Bytes of files that have come over a network, or are coming.
        case fetching
    }

    /// The limit in bytes.
    package private(set) var limit: Int
    /// The most that was ever in use at once.
    package private(set) var peak = 0
    private var used: [Int]

    /// Makes an account of which nothing is used.
    ///
    /// - Parameter limit: The limit in bytes.
    package init(limit: Int) {
        precondition(limit >= 0, "a memory budget of \(limit) bytes")
        self.limit = limit
        used = Array(repeating: 0, count: Purpose.allCases.count)
    }

    /// Bytes in use for all purposes.
    package private(set) var usedByteCount = 0

    /// Bytes in use for one purpose.
    package func usedByteCount(for purpose: Purpose) -> Int { used[purpose.rawValue] }

    /// Bytes that must be given up before `byteCount` more fit; 0 where they fit already.
    package func shortage(for byteCount: Int) -> Int {
        // Lengths come from files and hosts: the sum may overflow.
        let (sum, overflows) = usedByteCount.addingReportingOverflow(max(0, byteCount))
        return max(0, (overflows ? .max : sum) - limit)
    }

    /// Takes `byteCount` bytes from the account, whether or not they fit: admission is the owner's decision. A negative
    /// count takes nothing; a count that would overflow the account takes what the account can still count.
    package mutating func reserve(_ byteCount: Int, for purpose: Purpose) -> Reservation {
        let byteCount = min(max(0, byteCount), Int.max - usedByteCount)
        used[purpose.rawValue] += byteCount
        usedByteCount += byteCount
        peak = max(peak, usedByteCount)
        return Reservation(byteCount: byteCount, purpose: purpose)
    }

    /// Returns a reservation to the account.
    package mutating func release(_ reservation: Reservation) {
        used[reservation.purpose.rawValue] -= reservation.byteCount
        usedByteCount -= reservation.byteCount
        assert(used[reservation.purpose.rawValue] >= 0, "released more than was reserved for \(reservation.purpose)")
    }

    /// Sets a new limit; what is in use beyond it is for the owner to give up.
    package mutating func setLimit(_ limit: Int) {
        precondition(limit >= 0, "a memory budget of \(limit) bytes")
        self.limit = limit
    }
}
