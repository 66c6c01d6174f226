import ThumbwheelScheduling

/// The record of the caching windows that want one rendition, and the resulting rank (place in the order of work) of
/// the rendition's job. The most urgent of the windows decides the rank.
struct WindowHold: Sendable {
    /// The fact that a window wants the rendition, and how urgently. (It has nothing to do with the claims in
    /// `ClaimBoard`, which concern other servers.) If two entries (wanted images) of a window need the same rendition,
    /// the window has two claims.
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

    /// Records that a caching window wants the rendition.
    ///
    /// - Returns: whether `rank` has changed, because this window is the most urgent one.
    mutating func add(_ claim: Claim) -> Bool {
        claims.append(claim)
        return updateRank()
    }

    /// Records a change of the urgency with which a caching window wants the rendition.
    ///
    /// - Returns: whether `rank` has changed.
    mutating func replace(_ old: Claim, by new: Claim) -> Bool {
        guard let index = claims.firstIndex(of: old) else { return false }
        claims[index] = new
        return updateRank()
    }

    /// Records that a caching window no longer wants the rendition.
    ///
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
