import Thumbwheel

/// What an item's image is of.
struct GridSubject: Hashable {
    private let identifier: AssetIdentifier
    private let contentVersion: UInt32

    init(_ asset: Asset) {
        identifier = asset.identifier
        contentVersion = asset.contentVersion
    }
}
