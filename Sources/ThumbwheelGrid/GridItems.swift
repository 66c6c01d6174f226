import Thumbwheel

/// The contents of a grid: the assets of its items, and where the items are.
struct GridItems: Sendable {
    let assets: FetchResult<Asset>
    let layout: any ScrollLayout
    /// The size of all images in pixels; nil for the size of each item's own rectangle.
    let targetSize: PixelSize?

    /// - Precondition: The layout has as many items as there are assets, or adapts to any number of them.
    init(_ assets: FetchResult<Asset>, _ layout: any ScrollLayout, targetSize: PixelSize?) {
        self.assets = assets
        self.layout = layout.fitted(toItemCount: assets.count)
        self.targetSize = targetSize
        precondition(
            self.layout.itemCount == assets.count,
            "a layout of \(self.layout.itemCount) items for \(assets.count); changed contents need their own layout")
    }

    func targetSize(of item: Int) -> PixelSize { targetSize ?? layout.targetSize(of: item) }

    func subject(of item: Int) -> GridSubject { GridSubject(assets[item], targetSize: targetSize(of: item)) }
}
