/// The predicted time of a render, stored as its binary logarithm, rounded down to a multiple of one half. Predictions
/// are hardly more exact than this. The value takes two bytes in the row of a waiting request.
struct CostClass: Sendable, Equatable {
    /// Twice the binary logarithm of the predicted render time in milliseconds, rounded down.
    let halfDoublings: Int16

    /// The class of renders whose time is not known.
    static let unknown = CostClass(halfDoublings: .min)

    private init(halfDoublings: Int16) {
        self.halfDoublings = halfDoublings
    }

    /// - Parameter milliseconds: the predicted time; 0 if it is not known.
    init(milliseconds: Double) {
        guard milliseconds > 0, milliseconds.isFinite else {
            self = .unknown
            return
        }
        let half = milliseconds.significand < Double(2).squareRoot() ? 0 : 1
        halfDoublings = Int16(2 * milliseconds.exponent + half)
    }
}
