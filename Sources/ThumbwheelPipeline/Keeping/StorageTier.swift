/// The storage tiers: stores outside memory that keep finished renditions, in the order in which they are asked.
///
/// The tiers are asked before a rendition is made. A rendition is given to them once a request has used it. Everything
/// that differs from tier to tier is defined here.
package enum StorageTier: Int, CaseIterable, Hashable, Sendable {
    /// A store on this machine's disk.
    case disk
    /// A store that several servers share.
    case shared

    /// The number of look-ups that may run at once.
    var lookUpLimit: Int {
        switch self {
        case .disk: 2
        // Look-ups do not wait for each other on their way through a network.
        case .shared: 64
        }
    }

    /// The longest time that a job waits for a look-up, in milliseconds. After this time, the rendition is made without
    /// the tier's answer.
    var timeoutMilliseconds: Double {
        switch self {
        case .disk: 250
        // A shared store has a time-out of its own, which is shorter. This is for one that does not keep it.
        case .shared: 100
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
        case .shared: meanMilliseconds <= max(5, predictedMilliseconds)
        }
    }

    /// How often a tier that has become too slow is asked all the same, to find out whether it has recovered: for one
    /// of this many jobs.
    var probeInterval: Int {
        switch self {
        case .disk: 64
        // So rarely that the slowest of a hundred renders is none that waits for a slow network.
        case .shared: 512
        }
    }

    /// Whether the tier keeps a rendition of this size.
    ///
    /// - Parameter outputByteCount: the bytes of the rendition's pixels.
    func mayKeep(outputByteCount: Int, isFile: Bool) -> Bool {
        switch self {
        case .disk: true
        // A shared store takes values of 64 KB. Packed pixels have about two thirds of their bytes, and a file of good
        // quality has about a tenth.
        case .shared: outputByteCount <= (isFile ? 768 << 10 : 128 << 10)
        }
    }

    /// Whether it pays to find out if another server is making a rendition that is in no tier. That takes two more round
    /// trips to the tier, which may cost at most a third of the work that they may save.
    ///
    /// - Parameters:
    ///   - meanMilliseconds: the mean duration of recent look-ups in the tier.
    ///   - predictedMilliseconds: the predicted time of making the rendition.
    func isWorthClaiming(meanMilliseconds: Double, predictedMilliseconds: Double) -> Bool {
        switch self {
        case .disk: false
        case .shared: predictedMilliseconds >= max(1, 6 * meanMilliseconds)
        }
    }
}
