import Thumbwheel

/// The facts about a replay's assets, by number, that the evaluation of a run needs.
struct AssetCatalog: Sendable {
    let count: Int
    let identifier: @Sendable (Int) -> AssetIdentifier
    /// Whether an asset's file has a preview.
    let hasPreview: @Sendable (Int) -> Bool
    /// The least time, in milliseconds, that an asset's first image can take; nil if it is known only after the run.
    let leastMilliseconds: (@Sendable (Int) -> Double)?

    init(_ assets: [Asset]) {
        count = assets.count
        identifier = { assets[$0].identifier }
        hasPreview = { assets[$0].head.preview != nil }
        leastMilliseconds = nil
    }

    /// Makes a catalog of assets that exist only as numbers.
    init(simulated count: Int, costs: CostModel, settings: ReplaySettings) {
        self.count = count
        identifier = { AssetIdentifier(high: 0, low: UInt64($0)) }
        hasPreview = { costs.costs(ofAsset: $0).preview != nil }
        leastMilliseconds = { costs.costs(ofAsset: $0).leastMilliseconds(settings) }
    }

    /// Returns the number of an asset from a catalog that `init(simulated:costs:settings:)` made.
    static func number(ofSimulated identifier: AssetIdentifier) -> Int { Int(identifier.low) }
}

extension CostModel.Photograph {
    /// Returns the least time, in milliseconds, in which a request can get its first image.
    fileprivate func leastMilliseconds(_ settings: ReplaySettings) -> Double {
        switch settings.deliveryMode {
        case .highQuality: high
        case .fast: fast
        // A high-quality image that another request left in the cache serves as well, and so does an image that a racing window
        // makes.
        case .opportunistic: min(high, fast, settings.usesEmbeddedPreviews ? preview ?? .infinity : .infinity)
        }
    }
}
