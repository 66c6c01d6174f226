import ThumbwheelScheduling

/// The wishes of all caching windows for one rendition (claims), and the rank (place in the order of work) that follows
/// for the rendition's job. The rank has the urgency of the most urgent claim.
struct WindowHold: Sendable {
    /// A window's wish for a rendition. If one rendition is made for two entries (wanted images) of a window, the
    /// window has two claims.
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

    /// - Returns: whether `rank` has changed.
    mutating func add(_ claim: Claim) -> Bool {
        claims.append(claim)
        return updateRank()
    }

    /// - Returns: whether `rank` has changed.
    mutating func replace(_ old: Claim, by new: Claim) -> Bool {
        guard let index = claims.firstIndex(of: old) else { return false }
        claims[index] = new
        return updateRank()
    }

    /// - Returns: whether `rank` has changed.
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
