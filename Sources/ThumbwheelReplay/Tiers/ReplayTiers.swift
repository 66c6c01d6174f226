import Thumbwheel
import ThumbwheelPipeline

/// The storage tiers of a replay: the places below memory in which finished images outlive a process.
///
/// In runs on the machine's own clock, images go to a real store in a folder, and to a real store that servers share. On
/// the virtual clock both are simulated: look-ups take the times of a distribution, and the store on disk evicts by the
/// rules of the real one.
public struct ReplayTiers: Sendable {
    /// The folder of the store on disk; nil if there is none. Simulated runs neither read nor write it.
    public var storeFolder: String?
    /// The bytes that the store on disk may take.
    public var storeByteLimit = 4 << 30
    /// The time that a look-up in the store on disk takes, in simulated runs.
    public var storeLatency = LatencyModel(medianMilliseconds: 0.3, sigma: 0.5)
    /// The store that servers share, in runs on the machine's own clock; nil if there is none.
    public var sharedStore: (any SharedStore)?
    /// The number of simulated servers behind one shared store; nil for one server without a shared store.
    public var serverCount: Int?
    /// The bytes that the simulated shared store may take. It evicts what was used least recently.
    public var sharedByteLimit = 4 << 30
    /// The time that a round trip to the simulated shared store takes.
    public var sharedLatency = LatencyModel(medianMilliseconds: 0.5, sigma: 0.5)
    /// The number of assets, from the first, whose images the stores have from the start, in simulated runs.
    public var seenCount = 0
    /// The time, in milliseconds from the start, at which every process ends and begins anew; nil for never.
    public var restartMilliseconds: Double?
    /// The format of the files that the grids ask for, as a service's pages do; nil for pixels. Simulated runs only.
    public var encoding: ImageEncoding?

    /// Makes the tiers of a replay that has none.
    public init() {}

    /// Whether images outlive a process.
    public var isEmpty: Bool { storeFolder == nil && serverCount == nil && sharedStore == nil }
}

extension ReplayTiers {
    /// The tiers that a simulated run has, in the order in which they are asked.
    var simulated: [StorageTier] {
        (storeFolder == nil ? [] : [.disk]) + (serverCount == nil ? [] : [.shared])
    }
}
