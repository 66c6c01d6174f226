import ThumbwheelScheduling

extension JobRank {
    /// The difference of urgency that outweighs a doubled render time. Smaller urgency values go first. So a visible
    /// request that takes twice as long as another goes first only if its urgency value is smaller by more than this
    /// number.
    private static let urgencyPerDoubling = 4.0

    /// A visible request's urgency, weighed against the predicted cost of its image. Smaller values go first.
    ///
    /// If all images stay on screen, the sum of their waiting times is least when the cheapest go first (W. E. Smith's
    /// rule of 1956 for equal weights). In a scroll, however, cells near the edge where they appear stay on screen
    /// longest. An image that comes late for a cell that leaves soon is worth little. The weight (`urgencyPerDoubling`)
    /// is a number of grid rows. An image that costs half as much goes first even if it is up to that many rows farther
    /// from the edge. In simulated flings, any weight from 1 to 6 cuts the blank cells, counted over all frames, to
    /// about three quarters of their number without weighing; 4 does best.
    ///
    /// A slow or fast processor makes all predictions wrong by the same factor. The binary logarithm of the cost turns
    /// that factor into a constant summand, which leaves the order as it is. The logarithm is rounded to halves
    /// (`CostClass`). Of images whose rounded costs and urgencies are equal, the newest or the oldest goes first, as
    /// `servesNewestFirst` says.
    static func urgency(_ urgency: Double, weighedAgainst cost: CostClass) -> Double {
        guard cost != .unknown else { return urgency }
        return urgency + Self.urgencyPerDoubling / 2 * Double(cost.halfDoublings)
    }
}
