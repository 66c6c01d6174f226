import ThumbwheelScheduling

/// Which windows want a rendition, and so how urgently it is wanted: as the most urgent of them wants it.
struct WindowHold: Sendable {
    /// A window's wish for a rendition; of two entries that come down to one rendition, each has its own.
    struct Claim: Equatable, Sendable {
        let window: Int
        let urgency: Double

        init(_ window: Int, _ urgency: Double) {
            self.window = window
            self.urgency = urgency
        }
    }

    private(set) var claims: [Claim]
    private(set) var rank: JobRank

    init(_ claim: Claim, rank: JobRank) {
        claims = [claim]
        self.rank = rank
    }

    /// - Returns: whether the rank has changed.
    mutating func add(_ claim: Claim) -> Bool {
        claims.append(claim)
        return updateRank()
    }

    /// - Returns: whether the rank has changed.
    mutating func replace(_ old: Claim, by new: Claim) -> Bool {
        guard let index = claims.firstIndex(of: old) else { return false }
        claims[index] = new
        return updateRank()
    }

    /// - Returns: whether the rank has changed.
    mutating func remove(_ claim: Claim) -> Bool {
        guard let index = claims.firstIndex(of: claim) else { return false }
        claims.remove(at: index)
        return updateRank()
    }

    private mutating func updateRank() -> Bool {
        let former = rank.urgency
        rank.urgency = claims.lazy.map(\.urgency).min() ?? former
        return rank.urgency != former
    }
}
