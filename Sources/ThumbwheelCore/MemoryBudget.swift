/// The account, in bytes, of all memory that images take; see <doc:Semantics#The-memory-budget>.
///
/// The budget is a plain value: its owner decides which memory is freed when something does not fit.
package struct MemoryBudget: Sendable {
    /// The uses of the budget.
    package enum Purpose: Int, CaseIterable, Sendable {
        /// Bitmaps in the cache.
        case cache
        /// Bitmaps in the cache in packed form, with fewer bytes.
        case packed
        /// The output and the working memory of running renders, and the memory of running exports.
        case rendering
        /// The bytes of files that have come, or are coming, over a network.
        case fetching
    }

    /// The limit in bytes.
    package private(set) var limit: Int
    /// The most bytes that were ever in use at once.
    package private(set) var peak = 0
    private var used: [Int]

    /// Makes an account with nothing in use.
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

    /// Returns the number of bytes that must be freed before `byteCount` more fit; 0 if they fit already.
    package func shortage(for byteCount: Int) -> Int {
        // Lengths come from files and hosts, so the sum may overflow.
        let (sum, overflows) = usedByteCount.addingReportingOverflow(max(0, byteCount))
        return max(0, (overflows ? .max : sum) - limit)
    }

    /// Reserves `byteCount` bytes, whether or not they fit within the limit; the owner decides whether they may exceed
    /// it. A negative count reserves nothing. A count that would make the sum overflow is reduced to the largest that
    /// does not.
    package mutating func reserve(_ byteCount: Int, for purpose: Purpose) -> Reservation {
        let byteCount = min(max(0, byteCount), Int.max - usedByteCount)
        used[purpose.rawValue] += byteCount
        usedByteCount += byteCount
        peak = max(peak, usedByteCount)
        return Reservation(byteCount: byteCount, purpose: purpose)
    }

    /// Ends a reservation, so that its bytes are no longer in use.
    package mutating func release(_ reservation: Reservation) {
        used[reservation.purpose.rawValue] -= reservation.byteCount
        usedByteCount -= reservation.byteCount
        assert(used[reservation.purpose.rawValue] >= 0, "released more than was reserved for \(reservation.purpose)")
    }

    /// Sets a new limit. If more bytes than that are in use, the owner must free the excess.
    package mutating func setLimit(_ limit: Int) {
        precondition(limit >= 0, "a memory budget of \(limit) bytes")
        self.limit = limit
    }
}
