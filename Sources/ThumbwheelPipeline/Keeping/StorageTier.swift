/// The storage tiers: stores outside memory that keep finished renditions, in the order in which they are asked.
///
/// The tiers are asked before a rendition is made. A rendition is given to them once a request has used it. This type
/// defines everything that differs from tier to tier.
package enum StorageTier: Int, CaseIterable, Hashable, Sendable {
    /// A store on this machine's disk.
    case disk
    /// A store that several servers share.
    case shared

    /// The number of look-ups that may run at once.
    var lookUpLimit: Int {
        switch self {
        case .disk: 2
        // Many look-ups can be on their way through the network at the same time without delaying one another.
        case .shared: 64
        }
    }

    /// The longest time that a job waits for a look-up, in milliseconds. After this time, the rendition is made without
    /// the tier's answer.
    var timeoutMilliseconds: Double {
        switch self {
        case .disk: 250
        // A shared store has a shorter time limit of its own, and normally answers within it. This limit is for a store
        // that fails to do so.
        case .shared: 100
        }
    }

    /// Whether it pays to ask the tier for a rendition. It does if look-ups are quick, or if they are expected to take
    /// no longer than making the rendition.
    ///
    /// - Parameters:
    ///   - meanMilliseconds: the mean duration of recent look-ups in the tier.
    ///   - predictedMilliseconds: the predicted time of making the rendition.
    func isWorthAsking(meanMilliseconds: Double, predictedMilliseconds: Double) -> Bool {
        switch self {
        // A disk whose look-ups take at most 25 ms on average is asked even if the render is predicted to be faster.
        // Slow look-ups are a sign of a busy machine, on which renders also take longer than predicted.
        case .disk: meanMilliseconds <= max(25, predictedMilliseconds)
        case .shared: meanMilliseconds <= max(5, predictedMilliseconds)
        }
    }

    /// The interval at which a tier that has become too slow is still asked, to find out whether it has recovered: one
    /// of this many jobs asks it.
    var probeInterval: Int {
        switch self {
        case .disk: 64
        // Many fewer than one job in a hundred must wait for a slow network, so that the 99th percentile of render
        // times does not become worse.
        case .shared: 512
        }
    }

    /// Whether the tier keeps a rendition of this size.
    ///
    /// - Parameter outputByteCount: the bytes of the rendition's pixels.
    func mayKeep(outputByteCount: Int, isFile: Bool) -> Bool {
        switch self {
        case .disk: true
        // A value in a shared store usually has at most 64 KB. Packed pixels take about two thirds of the bytes of the
        // bitmap, and a file of good quality takes about a tenth. But these ratios vary, so these limits are a little
        // higher. `SharedKeeper` drops a value that turns out to be too large.
        case .shared: outputByteCount <= (isFile ? 768 << 10 : 128 << 10)
        }
    }

    /// Whether a rendition of this size is expected to fit into the tier, so that other servers may wait for it.
    ///
    /// - Parameter outputByteCount: the bytes of the rendition's pixels.
    func isLikelyToKeep(outputByteCount: Int, isFile: Bool) -> Bool {
        switch self {
        case .disk: true
        // A value has at most 64 KB: a file takes about a tenth of the bytes of the pixels, packed pixels two thirds.
        case .shared: outputByteCount <= (isFile ? 640 << 10 : 96 << 10)
        }
    }

    /// Whether it pays to ask the tier whether another server is making a rendition that was found in no tier. The
    /// question takes two more round trips to the tier. It pays if these take at most a third of the time that making
    /// the rendition takes.
    ///
    /// - Parameters:
    ///   - roundTripMilliseconds: the time that a round trip to the tier takes.
    ///   - predictedMilliseconds: the predicted time of making the rendition.
    func isWorthClaiming(roundTripMilliseconds: Double, predictedMilliseconds: Double) -> Bool {
        switch self {
        case .disk: false
        case .shared: predictedMilliseconds >= max(1, 6 * roundTripMilliseconds)
        }
    }
}
