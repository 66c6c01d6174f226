import ThumbwheelScheduling

extension JobRank {
    /// The difference in urgency that a visible request needs to go before a request that takes half as long.
    private static let urgencyPerDoubling = 4.0

    /// A visible request's urgency, weighed against the predicted cost of its image. Smaller values go first.
    ///
    /// Of images that all stay on screen, the sum of the times until they come is least when the cheapest go first (W. E.
    /// Smith's rule of 1956 for equal weights). But cells near the edge at which scrolling reveals them stay on screen longest,
    /// and little is gained by an image that comes late for a cell that leaves soon. The weight is a number of grid rows: an
    /// image that is twice as cheap may be that much farther from the edge. In simulated flings, blank cell-frames fall to
    /// three quarters with any weight from 1 to 6, and most with 4.
    ///
    /// The logarithm makes the order independent of the processor's speed, which makes all predictions wrong by one factor. It
    /// is rounded to half doublings, which is about the accuracy of predictions: costs in the same half doubling count as
    /// equal, and then the newest request goes first.
    static func urgency(_ urgency: Double, weighedAgainst milliseconds: Double) -> Double {
        guard milliseconds > 0, milliseconds.isFinite else { return urgency }
        let halfDoublings = 2 * milliseconds.exponent + (milliseconds.significand < Double(2).squareRoot() ? 0 : 1)
        return urgency + Self.urgencyPerDoubling / 2 * Double(halfDoublings)
    }
}
