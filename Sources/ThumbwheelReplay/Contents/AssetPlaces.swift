import ThumbwheelGrid

/// Finds the item of a list that shows an asset.
struct AssetPlaces: Sendable {
    /// The stretches of consecutive asset numbers, in ascending order.
    let stretches: [Range<Int>]
    /// The first item of each stretch.
    let items: [Int]
    let versions: [Int: UInt32]

    /// Returns the item that shows an asset; nil if the asset is not shown, or is shown in another state.
    func item(of asset: AssetState) -> Int? {
        let index = stretches.partitionIndex { $0.upperBound > asset.number }
        guard index < stretches.count, stretches[index].contains(asset.number),
            versions[asset.number] ?? 0 == asset.version
        else { return nil }
        return items[index] + asset.number - stretches[index].lowerBound
    }
}
