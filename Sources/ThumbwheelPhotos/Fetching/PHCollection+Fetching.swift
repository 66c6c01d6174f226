import Foundation
import Thumbwheel

extension PHCollection {
    fileprivate static var library: PhotoLibrary { PHPhotoLibrary.shared().library }

    /// Fetches the members of a list.
    public static func fetchCollections(
        in list: PHCollectionList, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollection> {
        PHFetchResult(.collections(library.fetchCollections(in: list.list, options: options.forCollections)))
    }

    /// Fetches the albums and folders that lie in no folder. Smart albums are not among them.
    public static func fetchTopLevelUserCollections(with options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
        PHFetchResult(.collections(library.fetchTopLevelUserCollections(with: options.forCollections)))
    }
}

extension PHAssetCollection {
    /// Fetches collections of a type.
    public static func fetchAssetCollections(
        with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult(
            .albums(library.fetchAssetCollections(with: type, subtype: subtype, options: options.forCollections)))
    }

    /// Fetches collections by their identifiers, in the order given.
    public static func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult(
            .albums(
                library.fetchAssetCollections(withLocalIdentifiers: identifiers, options: options.forCollections)))
    }

    /// Fetches the collections of a type that an asset is in. Smart albums cannot be asked for.
    public static func fetchAssetCollectionsContaining(
        _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult(
            .albums(
                library.fetchAssetCollectionsContaining(asset.asset, with: type, options: options.forCollections)))
    }

    /// Fetches the days on which assets were taken, by the calendar of Greenwich.
    public static func fetchMoments(with options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult(.albums(library.fetchMoments(in: .gmt, options: options.forCollections)))
    }

    /// Fetches the moments of a list of moments.
    public static func fetchMoments(
        inMomentList list: PHCollectionList, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult(.albums(library.fetchMoments(inMomentList: list.list, options: options.forCollections)))
    }
}

extension PHCollectionList {
    /// Fetches lists of a type.
    public static func fetchCollectionLists(
        with type: PHCollectionListType, subtype: PHCollectionListSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        PHFetchResult(
            .lists(library.fetchCollectionLists(with: type, subtype: subtype, options: options.forCollections)))
    }

    /// Fetches lists by their identifiers, in the order given.
    public static func fetchCollectionLists(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        PHFetchResult(
            .lists(library.fetchCollectionLists(withLocalIdentifiers: identifiers, options: options.forCollections)))
    }

    /// Fetches the folder that a collection is in.
    public static func fetchCollectionListsContaining(
        _ collection: PHCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        PHFetchResult(
            .lists(library.fetchCollectionListsContaining(collection.item, options: options.forCollections)))
    }

    /// Fetches lists of moments by a subtype: clusters of days, or years.
    public static func fetchMomentLists(
        with subtype: PHCollectionListSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        PHFetchResult(.lists(library.fetchMomentLists(with: subtype, in: .gmt, options: options.forCollections)))
    }
}
