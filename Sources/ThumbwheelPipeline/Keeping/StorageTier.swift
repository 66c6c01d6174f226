/// The storage tiers: stores outside memory that keep finished renditions, in the order in which they are asked.
///
/// The tiers are asked before a rendition is made. A rendition is given to them once a request has used it. Everything
/// that differs from tier to tier is defined here.
package enum StorageTier: Int, CaseIterable, Hashable, Sendable {
    /// A store on this machine's disk.
    case disk

    /// The number of look-ups that may run at once.
    var lookUpLimit: Int {
        switch self {
        case .disk: 2
        }
    }

    /// The longest time that a job waits for a look-up, in milliseconds. After this time, the rendition is made without
    /// the tier's answer.
    var patienceMilliseconds: Double {
        switch self {
        case .disk: 250
        }
    }

    /// Whether asking the tier is expected to take no longer than making the rendition.
    ///
    /// - Parameters:
    ///   - meanMilliseconds: the mean duration of recent look-ups in the tier.
    ///   - predictedMilliseconds: the predicted time of making the rendition.
    func isWorthAsking(meanMilliseconds: Double, predictedMilliseconds: Double) -> Bool {
        switch self {
        // A disk whose look-ups take at most 25 ms on average is asked even if the render would be faster, because a
        // busy machine slows look-ups and renders alike.
        case .disk: meanMilliseconds <= max(25, predictedMilliseconds)
        }
    }
}
