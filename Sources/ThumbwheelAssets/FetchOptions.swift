import Foundation

/// How a fetch sorts and cuts what it finds (row 49).
public struct FetchOptions: Sendable, Hashable {
    /// What to sort by, the first first; ties keep the order of import (row 51).
    public var sortDescriptors: [AssetSortDescriptor]
    /// The most assets to return, after sorting; 0 for all (row 55).
    public var fetchLimit: Int

    public init(sortDescriptors: [AssetSortDescriptor] = [], fetchLimit: Int = 0) {
        self.sortDescriptors = sortDescriptors
        self.fetchLimit = fetchLimit
    }
}

/// A property to sort assets by, and which way. Assets that lack the property come before those that have it.
public struct AssetSortDescriptor: Sendable, Hashable {
    public enum Key: Sendable, Hashable, CaseIterable {
        case creationDate, modificationDate, addedDate
    }

    public var key: Key
    public var isAscending: Bool

    public init(_ key: Key, ascending isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    fileprivate func value(of asset: Asset) -> Double {
        let date =
            switch key {
            case .creationDate: asset.creationDate
            case .modificationDate: asset.modificationDate
            case .addedDate: asset.addedDate
            }
        return date?.timeIntervalSinceReferenceDate ?? -.infinity
    }
}

extension FetchOptions {
    /// `assets`, which are in the order of import, sorted and cut. Constant where nothing is to be done.
    func apply(to assets: [Asset]) -> FetchResult<Asset> {
        var assets = assets
        if !sortDescriptors.isEmpty {
            let keyed = assets.enumerated().map { index, asset in
                (index: index, values: sortDescriptors.map { $0.value(of: asset) }, asset: asset)
            }
            assets = keyed.sorted { one, other in
                for (position, descriptor) in sortDescriptors.enumerated() {
                    let (first, second) = (one.values[position], other.values[position])
                    if first != second { return descriptor.isAscending == (first < second) }
                }
                return one.index < other.index
            }.map(\.asset)
        }
        return FetchResult(fetchLimit > 0 ? Array(assets.prefix(fetchLimit)) : assets)
    }
}
