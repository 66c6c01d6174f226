import Thumbwheel

/// The subject of an item's image: an asset, the version of its picture, and the size at which it is shown. Items with
/// equal subjects show the same image.
struct GridSubject: Hashable {
    private let identifier: AssetIdentifier
    private let picture: PictureVersion
    private let targetSize: PixelSize

    init(_ asset: Asset, targetSize: PixelSize) {
        identifier = asset.identifier
        picture = asset.pictureVersion()
        self.targetSize = targetSize
    }
}
