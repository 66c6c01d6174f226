import ThumbwheelPipeline

/// What goes wrong with a tier below memory.
package enum SimulatedTierFault: String, Codable, CaseIterable, Sendable {
    /// There is no room for anything new. What the tier has is still found.
    case full
    /// The tier cannot be reached: a folder that is gone or a server that is stopped.
    case gone
    /// A later version of the library has written the tier, which this one does not read.
    case laterVersion
    /// Nothing is answered for as long as the fault lasts.
    case hung
    /// Few look-ups and claims are answered before nobody waits for them any more.
    case slow
    /// Bits have flipped in half of the values, which are lost.
    case damaged
    /// The tier has lost all values, and goes on.
    case flushed

    /// The faults that a tier can have.
    static func faults(of tier: StorageTier) -> [SimulatedTierFault] {
        switch tier {
        case .disk: [.full, .gone, .laterVersion, .hung, .slow, .damaged]
        case .shared: [.full, .gone, .hung, .slow, .damaged, .flushed]
        }
    }

    /// Whether the fault lasts until the tier works again. Otherwise it is over at once, and only values are lost.
    var lasts: Bool { self != .damaged && self != .flushed }

    /// Whether the tier takes no values while the fault lasts.
    var takesNothing: Bool {
        switch self {
        case .full, .gone, .laterVersion, .hung: true
        case .slow, .damaged, .flushed: false
        }
    }

    /// Whether a value outlives the beginning of the fault.
    func spares(_ key: RenditionKey) -> Bool {
        switch self {
        case .flushed: false
        case .damaged: SimulatedWorld.asset(of: key.subject).isMultiple(of: 2)
        case .full, .gone, .laterVersion, .hung, .slow: true
        }
    }

    /// Returns how a look-up ends in a tier that has this fault. Without the fault it would end as `ending`. A failing store
    /// on disk finds nothing; a failing shared store reports that it is unavailable.
    func ending(of tier: StorageTier, insteadOf ending: SimulatedLookUpEnding) -> SimulatedLookUpEnding {
        switch self {
        case .gone, .laterVersion, .hung: tier == .shared ? .unavailable : .missing
        case .full, .slow, .damaged, .flushed: ending
        }
    }

    /// Returns how a claim ends in a shared store that has this fault. Without the fault it would end as `ending`.
    func ending(insteadOf ending: SimulatedClaimEnding) -> SimulatedClaimEnding {
        switch self {
        case .gone, .laterVersion, .hung: .unavailable
        case .full, .slow, .damaged, .flushed: ending
        }
    }
}
