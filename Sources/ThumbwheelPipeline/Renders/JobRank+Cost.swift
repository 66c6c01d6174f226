import ThumbwheelScheduling

extension JobRank {
    /// By how much more urgent a visible request must be to go before one that takes half as long.
    private static let urgencyPerDoubling = 4.0

    /// A visible request's urgency weighed against what its image is predicted to cost; less goes first.
    ///
    /// Of images that all stay on screen, the sum of the times until they come is least when the cheapest go first (W. E.
    /// Smith's rule of 1956 for equal weights); but those nearest the revealing edge stay longest, and what comes late and
    /// leaves soon has saved little. The weight is the rows of a grid that an image may be farther from that edge for being
    /// twice as cheap: in simulated flings blank cell-frames fall to three quarters with any weight from 1 to 6, most with 4.
    ///
    /// The logarithm makes the order the same on a machine of another speed, where predictions are wrong by a factor. It
    /// goes by half doublings, about as far as predictions are right: what falls into one counts as equal, and there the
    /// newest goes first.
    static func urgency(_ urgency: Double, weighedAgainst milliseconds: Double) -> Double {
        guard milliseconds > 0, milliseconds.isFinite else { return urgency }
        let halfDoublings = 2 * milliseconds.exponent + (milliseconds.significand < Double(2).squareRoot() ? 0 : 1)
        return urgency + Self.urgencyPerDoubling / 2 * Double(halfDoublings)
    }
}
