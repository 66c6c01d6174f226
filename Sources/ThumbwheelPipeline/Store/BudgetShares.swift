import ThumbwheelCaching
import ThumbwheelCore

/// The owners of cached renditions: how many bytes each has in all memory tiers, and how many are its share.
///
/// Only owners that have a rendition in the cache are known here. Each has a number above 0, which its renditions carry
/// in the tiers; 0 stands for nobody. Numbers are used again once their owners have nothing left.
struct BudgetShares: Sendable {
    private struct Owner: Sendable {
        var share: BudgetShare
        /// The weight in units of 1/1024. Sums of whole numbers do not drift, however often owners come and go.
        var weight: Int
        var entryCount = 0
        var byteCount = 0
    }

    /// The number of rounds in which an unused rendition is spared; see `round`.
    static let sparingRoundCount: UInt16 = 16

    /// The owners, by their numbers. In the place of a free number, and in that of 0, there is no owner with entries.
    private var owners: [Owner] = []
    private var numbers: [Int: Int] = [:]
    private var freeNumbers: [Int] = []
    private var weightSum = 0
    /// The present round of evictions. A round ends when as many bytes have been evicted as the cache has.
    private(set) var round: UInt16 = 1
    private var evictedByteCount = 0

    /// Whether several owners have renditions in the cache. If not, shares change nothing.
    var areSeveral: Bool { numbers.count > 1 }

    var isEmpty: Bool { numbers.isEmpty }

    /// The bytes of each owner that has renditions in the cache, by the owners of their shares.
    var byteCounts: [Int: Int] { numbers.mapValues { owners[$0].byteCount } }

    func share(of number: Int) -> BudgetShare? { number == 0 ? nil : owners[number].share }

    func byteCount(of number: Int) -> Int { owners[number].byteCount }

    /// Counts a rendition that enters the cache.
    ///
    /// - Returns: the number of the owner; 0 if there is no share.
    mutating func add(_ byteCount: Int, of share: BudgetShare?) -> Int {
        guard let share else { return 0 }
        let number = numbers[share.owner] ?? newNumber(for: share)
        let weight = Self.weight(of: share)
        weightSum += weight - owners[number].weight
        (owners[number].share, owners[number].weight) = (share, weight)
        owners[number].entryCount += 1
        owners[number].byteCount += byteCount
        return number
    }

    /// Counts a rendition that has left the cache.
    mutating func remove(_ byteCount: Int, of number: Int) {
        guard number != 0 else { return }
        owners[number].entryCount -= 1
        owners[number].byteCount -= byteCount
        guard owners[number].entryCount == 0 else { return }
        weightSum -= owners[number].weight
        owners[number].weight = 0
        numbers[owners[number].share.owner] = nil
        freeNumbers.append(number)
    }

    /// Counts bytes that have been evicted, and begins another round if that makes as many as the cache has.
    mutating func noteEviction(of byteCount: Int, leaving cachedByteCount: Int) {
        evictedByteCount += byteCount
        guard evictedByteCount >= cachedByteCount else { return }
        evictedByteCount = 0
        round = round == RenditionTiers.Tier.Patience.lastRound ? 1 : round + 1
    }

    /// Whether an owner with `byteCount` bytes has no more than its share.
    ///
    /// - Parameter whole: the bytes that all owners share.
    func isWithinShare(_ number: Int, _ byteCount: Int, of whole: Int) -> Bool {
        Double(byteCount) * Double(weightSum) <= Double(whole) * Double(owners[number].weight)
    }

    private mutating func newNumber(for share: BudgetShare) -> Int {
        if owners.isEmpty { owners.append(Owner(share: share, weight: 0)) }
        let number = freeNumbers.popLast() ?? owners.count
        let owner = Owner(share: share, weight: 0)
        if number == owners.count { owners.append(owner) } else { owners[number] = owner }
        numbers[share.owner] = number
        return number
    }

    private static func weight(of share: BudgetShare) -> Int {
        let units = share.weight * 1024
        // The comparison is false for a weight that is no number, too.
        return units >= 1 ? Int(min(units, 0x1p30)) : 1
    }

    /// Throws if the sums differ from those of the renditions in the tiers.
    ///
    /// - Parameter entries: the owner's number and the bytes of each rendition.
    func checkInvariants(_ entries: some Sequence<(owner: Int, byteCount: Int)>) throws(BrokenInvariant) {
        var counts: [Int: (entries: Int, bytes: Int)] = [:]
        for (owner, byteCount) in entries where owner != 0 {
            let former = counts[owner] ?? (0, 0)
            counts[owner] = (former.entries + 1, former.bytes + byteCount)
        }
        try BrokenInvariant.require(
            counts.count == numbers.count
                && numbers.values.allSatisfy {
                    counts[$0]?.entries == owners[$0].entryCount && counts[$0]?.bytes == owners[$0].byteCount
                }, "an owner's bytes do not add up")
        try BrokenInvariant.require(
            weightSum == numbers.values.reduce(0) { $0 + owners[$1].weight }, "weights do not add up")
    }
}
