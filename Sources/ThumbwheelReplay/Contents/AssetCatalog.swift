import Thumbwheel

/// The assets of a replay by number, as far as a run's accounts need them.
struct AssetCatalog: Sendable {
    let count: Int
    let identifier: @Sendable (Int) -> AssetIdentifier
    /// Whether an asset's file has a preview.
    let hasPreview: @Sendable (Int) -> Bool
    /// The least work that an asset's first image can take, in milliseconds; nil where only the run itself can tell.
    let leastMilliseconds: (@Sendable (Int) -> Double)?

    init(_ assets: [Asset]) {
        count = assets.count
        identifier = { assets[$0].identifier }
        hasPreview = { assets[$0].head.preview != nil }
        leastMilliseconds = nil
    }

    /// Assets that exist only as numbers.
    init(simulated count: Int, costs: CostModel, settings: ReplaySettings) {
        self.count = count
        identifier = { AssetIdentifier(high: 0, low: UInt64($0)) }
        hasPreview = { costs.costs(ofAsset: $0).preview != nil }
        leastMilliseconds = { costs.costs(ofAsset: $0).leastMilliseconds(settings) }
    }

    /// The number of an asset of `init(simulated:costs:settings:)`.
    static func number(ofSimulated identifier: AssetIdentifier) -> Int { Int(identifier.low) }
}

extension CostModel.Photograph {
    /// Of the first image that a request gets at best.
    fileprivate func leastMilliseconds(_ settings: ReplaySettings) -> Double {
        switch settings.deliveryMode {
        case .highQuality: high
        case .fast: fast
        // What a request of high quality has left in the cache serves as well, as does what a racing window makes.
        case .opportunistic: min(high, fast, settings.usesEmbeddedPreviews ? preview ?? .infinity : .infinity)
        }
    }
}
