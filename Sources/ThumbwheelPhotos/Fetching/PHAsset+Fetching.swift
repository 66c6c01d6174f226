import Foundation
import Thumbwheel

extension PHAsset {
    private static var library: PhotoLibrary { PHPhotoLibrary.shared().library }

    /// Fetches assets of the whole library.
    public static func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        PHFetchResult(.assets(library.fetchAssets(with: options.forAssets)))
    }

    /// Fetches assets of a kind.
    public static func fetchAssets(with type: PHAssetMediaType, options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        PHFetchResult(.assets(library.fetchAssets(with: type, options: options.forAssets)))
    }

    /// Fetches the assets of a collection, in its order.
    public static func fetchAssets(
        in collection: PHAssetCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        PHFetchResult(.assets(library.fetchAssets(in: collection.collection, options: options.forAssets)))
    }

    /// Fetches assets by their identifiers, in the order given; those that the library does not have are left out.
    public static func fetchAssets(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        PHFetchResult(
            .assets(library.fetchAssets(withLocalIdentifiers: identifiers, options: options.forAssets)))
    }

    /// Fetches the photographs of a burst.
    public static func fetchAssets(
        withBurstIdentifier identifier: String, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        PHFetchResult(.assets(library.fetchAssets(withBurstIdentifier: identifier, options: options.forAssets)))
    }

    /// Fetches the asset that stands for a collection; the result is empty if there is none.
    public static func fetchKeyAssets(
        in collection: PHAssetCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset>? {
        PHFetchResult(.assets(library.fetchKeyAssets(in: collection.collection, options: options.forAssets)))
    }
}
