import Thumbwheel

/// The subject of an item's image: an asset and the version of its picture. Items with equal subjects show the same image.
struct GridSubject: Hashable {
    private let identifier: AssetIdentifier
    private let picture: PictureVersion

    init(_ asset: Asset) {
        identifier = asset.identifier
        picture = asset.pictureVersion()
    }
}
