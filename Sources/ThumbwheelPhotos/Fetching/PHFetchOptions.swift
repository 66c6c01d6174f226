import Foundation
import Thumbwheel

/// How objects are fetched. A fetch takes the values that the options have at that moment.
public final class PHFetchOptions: NSObject, NSCopying {
    /// The condition that objects meet; nil for all.
    public var predicate: PHPredicate?
    /// The properties to sort by, the most important first; nil for the order of the collection.
    public var sortDescriptors: [PHSortDescriptor]?
    /// Whether hidden assets are among the result.
    public var includeHiddenAssets = false
    /// Whether all photographs of bursts are among the result, and not only those that stand for them.
    public var includeAllBurstAssets = false
    /// The origins of assets; none means the usual ones.
    public var includeAssetSourceTypes: PHAssetSourceType = []
    /// The largest number of objects; 0 for no limit.
    public var fetchLimit = 0
    /// Whether changes of the result are told index by index.
    public var wantsIncrementalChangeDetails = true

    /// Makes options that fetch what is visible, in the collection's order.
    public override init() {}

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHFetchOptions()
        copy.predicate = predicate
        copy.sortDescriptors = sortDescriptors
        copy.includeHiddenAssets = includeHiddenAssets
        copy.includeAllBurstAssets = includeAllBurstAssets
        copy.includeAssetSourceTypes = includeAssetSourceTypes
        copy.fetchLimit = fetchLimit
        copy.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
        return copy
    }

    var forAssets: FetchOptions {
        FetchOptions(
            predicate: predicate.map { predicate in
                Self.require { () throws(FetchPredicateError) in
                    try AssetPredicate(predicate.format)
                }
            },
            sortDescriptors: (sortDescriptors ?? []).map { Self.assetOrder($0) },
            fetchLimit: max(0, fetchLimit), includeHiddenAssets: includeHiddenAssets,
            includeAllBurstAssets: includeAllBurstAssets, includeAssetSourceTypes: includeAssetSourceTypes,
            wantsIncrementalChangeDetails: wantsIncrementalChangeDetails)
    }

    var forCollections: CollectionFetchOptions {
        CollectionFetchOptions(
            predicate: predicate.map { predicate in
                Self.require { () throws(FetchPredicateError) in
                    try CollectionPredicate(predicate.format)
                }
            },
            sortDescriptors: (sortDescriptors ?? []).map { Self.collectionOrder($0) },
            fetchLimit: max(0, fetchLimit), wantsIncrementalChangeDetails: wantsIncrementalChangeDetails)
    }

    /// The shorter names that PhotoKit takes as well.
    private static let shortNames = ["favorite": "isFavorite", "hidden": "isHidden", "title": "localizedTitle"]

    private static func name(_ descriptor: PHSortDescriptor) -> String {
        let key = descriptor.key ?? "localIdentifier"
        return shortNames[key] ?? key
    }

    private static func assetOrder(_ descriptor: PHSortDescriptor) -> AssetSortDescriptor {
        guard let key = AssetSortDescriptor.Key(rawValue: name(descriptor)) else {
            preconditionFailure("Unsupported sort descriptor in fetch options: \(name(descriptor))")
        }
        return AssetSortDescriptor(key, ascending: descriptor.ascending)
    }

    private static func collectionOrder(_ descriptor: PHSortDescriptor) -> CollectionSortDescriptor {
        guard let key = CollectionSortDescriptor.Key(rawValue: name(descriptor)) else {
            preconditionFailure("Unsupported sort descriptor in fetch options: \(name(descriptor))")
        }
        return CollectionSortDescriptor(key, ascending: descriptor.ascending)
    }

    private static func require<Predicate>(_ make: () throws(FetchPredicateError) -> Predicate) -> Predicate {
        do throws(FetchPredicateError) {
            return try make()
        } catch {
            preconditionFailure("Unsupported predicate in fetch options: \(error)")
        }
    }
}

extension PHFetchOptions? {
    var forAssets: FetchOptions { self?.forAssets ?? FetchOptions() }
    var forCollections: CollectionFetchOptions { self?.forCollections ?? CollectionFetchOptions() }
}
