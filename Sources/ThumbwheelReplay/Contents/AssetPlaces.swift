/// Which item shows an asset.
struct AssetPlaces: Sendable {
    /// Ascending.
    let stretches: [Range<Int>]
    /// The first item of each.
    let items: [Int]
    let versions: [Int: UInt32]

    /// Nil where the asset is not shown, or not as it was then.
    func item(of asset: AssetState) -> Int? {
        let index = stretches.partitionIndex { $0.upperBound > asset.number }
        guard index < stretches.count, stretches[index].contains(asset.number),
            versions[asset.number] ?? 0 == asset.version
        else { return nil }
        return items[index] + asset.number - stretches[index].lowerBound
    }
}
