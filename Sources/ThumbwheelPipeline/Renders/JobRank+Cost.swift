import ThumbwheelScheduling

extension JobRank {
    /// The difference of urgency that outweighs a doubled render time. Smaller urgency values go first. So a visible
    /// request that takes twice as long as another goes first only if its urgency value is smaller by more than this
    /// number.
    private static let urgencyPerDoubling = 4.0

    /// Returns the urgency of a visible request after the predicted cost of its image has been weighed in. Smaller
    /// values go first.
    ///
    /// The result is the request's urgency plus `urgencyPerDoubling` times the binary logarithm of the cost. If the
    /// cost is unknown, the urgency is returned unchanged. In a grid, the urgency grows by about one with each row away
    /// from the screen edge at which new cells appear. So an image that costs half as much as another goes first,
    /// unless its cell is more than `urgencyPerDoubling` rows farther from that edge.
    ///
    /// The formula is a compromise. The sum of the waiting times is least when the cheapest images go first (W. E.
    /// Smith's rule of 1956 for equal weights). But in a scroll, the cells that have just appeared stay on screen
    /// longest. An image that comes late for a cell that leaves soon is worth little.
    ///
    /// The value of `urgencyPerDoubling` was chosen in simulated flings, by counting the blank cells of all frames. If
    /// costs are ignored, there are about a third more blank cells than with any value from 1 to 6. The value 4 gives
    /// the fewest.
    ///
    /// The logarithm makes the order independent of the processor's speed. A slow or fast processor makes all
    /// predictions wrong by the same factor, which adds the same number to all logarithms. The logarithm is rounded
    /// down to halves (`CostClass`). Of images whose rounded costs and urgencies are equal, the newest or the oldest
    /// goes first, as `servesNewestFirst` says.
    static func urgency(_ urgency: Double, weighedAgainst cost: CostClass) -> Double {
        guard cost != .unknown else { return urgency }
        return urgency + Self.urgencyPerDoubling / 2 * Double(cost.halfDoublings)
    }
}
