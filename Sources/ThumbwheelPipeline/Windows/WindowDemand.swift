import ThumbwheelScheduling

/// The record of the caching windows that want one rendition, and the resulting rank (place in the order of work) of
/// the rendition's job. The most urgent of the windows decides the rank.
struct WindowDemand: Sendable {
    /// The fact that a window wants the rendition, and how urgently. If two entries (wanted images) of a window need
    /// the same rendition, the window has two wishes.
    struct Wish: Equatable, Sendable {
        let window: Int
        let urgency: Double

        init(_ window: Int, _ urgency: Double) {
            self.window = window
            self.urgency = urgency
        }
    }

    private(set) var wishes: [Wish]
    private(set) var rank: JobRank

    init(_ wish: Wish, rank: JobRank) {
        wishes = [wish]
        self.rank = rank
    }

    /// Records that a caching window wants the rendition.
    ///
    /// - Returns: whether `rank` has changed. It changes if this window is more urgent than all others.
    mutating func add(_ wish: Wish) -> Bool {
        wishes.append(wish)
        return updateRank()
    }

    /// Records a change of the urgency with which a caching window wants the rendition.
    ///
    /// - Returns: whether `rank` has changed.
    mutating func replace(_ old: Wish, by new: Wish) -> Bool {
        guard let index = wishes.firstIndex(of: old) else { return false }
        wishes[index] = new
        return updateRank()
    }

    /// Records that a caching window no longer wants the rendition.
    ///
    /// - Returns: whether `rank` has changed.
    mutating func remove(_ wish: Wish) -> Bool {
        guard let index = wishes.firstIndex(of: wish) else { return false }
        wishes.remove(at: index)
        return updateRank()
    }

    private mutating func updateRank() -> Bool {
        let former = rank.urgency
        rank.urgency = wishes.lazy.map(\.urgency).min() ?? former
        return rank.urgency != former
    }
}
