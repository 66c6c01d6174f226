/// What a library holds at one moment.
///
/// The arrays are shared with the results that were fetched, until the next change: that one then copies them, once for
/// all that it adds.
struct Snapshot: Sendable {
    /// In the order of import.
    private(set) var assets: [Asset] = []
    private var positions: [AssetIdentifier: Int] = [:]
    /// The paths of imported files, by their digests.
    private var files: Set<NameDigest> = []

    subscript(identifier: AssetIdentifier) -> Asset? {
        positions[identifier].map { assets[$0] }
    }

    /// Appends an asset unless its identifier is there already, and says whether it did.
    @discardableResult
    mutating func insert(_ asset: Asset) -> Bool {
        guard positions[asset.identifier] == nil else { return false }
        positions[asset.identifier] = assets.count
        assets.append(asset)
        return true
    }

    /// Appends an asset whose identifier was derived from `name`, unless the file at `path` is there already.
    ///
    /// Two folders of one name may hold files of one name: the second file gets an identifier of its own, which is the
    /// same in every run that imports in the same order.
    mutating func insertFile(_ asset: Asset, path: String, name: String) -> Asset? {
        guard files.insert(NameDigest(path)).inserted else { return nil }
        if insert(asset) { return asset }
        var number = 2
        while true {
            let renamed = asset.copy(identifier: AssetIdentifier(NameDigest("\(name)\0\(number)")))
            if insert(renamed) { return renamed }
            number += 1
        }
    }
}
