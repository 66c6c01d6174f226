import Thumbwheel

/// What an item's image is of.
struct GridSubject: Hashable {
    private let identifier: AssetIdentifier
    private let picture: PictureVersion

    init(_ asset: Asset) {
        identifier = asset.identifier
        picture = asset.pictureVersion()
    }
}
