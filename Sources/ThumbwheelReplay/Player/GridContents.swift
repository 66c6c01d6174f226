import Thumbwheel

/// What a replayed grid shows, from the top, as far as a run's accounts need it.
struct GridContents: Sendable {
    let count: Int
    let identifier: @Sendable (Int) -> AssetIdentifier
    /// Whether an item's file has a preview.
    let hasPreview: @Sendable (Int) -> Bool

    init(_ assets: [Asset]) {
        count = assets.count
        identifier = { assets[$0].identifier }
        hasPreview = { assets[$0].head.preview != nil }
    }

    /// Assets that exist only as numbers.
    init(simulated count: Int, costs: CostModel) {
        self.count = count
        identifier = { AssetIdentifier(high: 0, low: UInt64($0)) }
        hasPreview = { costs.costs(ofAsset: $0).preview != nil }
    }

    /// The number of an asset of `init(simulated:costs:)`.
    static func item(ofSimulated identifier: AssetIdentifier) -> Int { Int(identifier.low) }
}
