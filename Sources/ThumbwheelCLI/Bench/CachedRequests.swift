import Thumbwheel

/// Requests that the cache answers, made as a cell makes them: the handler looks whether the image is of the asset that the
/// cell shows.
struct CachedRequests: Sendable {
    let manager: ImageManager
    let options: ImageRequestOptions
    let size: PixelSize
    let assets: [Asset]

    /// - Returns: how many were answered before they returned.
    func run() -> Int {
        let cell = Cell()
        for asset in assets {
            let identifier = asset.identifier
            manager.requestImage(for: asset, targetSize: size, options: options) { result in
                if case .final(let bitmap, let info) = result, info.asset == identifier { cell.show(bitmap) }
            }
        }
        return cell.shownCount
    }
}
