import Foundation
import Thumbwheel

/// Prepares the images of assets that will soon be requested, and delivers images as its base class does.
public final class PHCachingImageManager: PHImageManager, @unchecked Sendable {
    private let caching: CachingImageManager

    /// Makes a manager with an empty window over the image manager that the process shares.
    public convenience init() { self.init(.default) }

    /// Makes a manager with an empty window over an image manager of the host's own.
    public override init(_ manager: ImageManager) {
        caching = CachingImageManager(manager)
        super.init(manager)
    }

    /// Whether images are prepared for requests of high quality; a view that scrolls very fast does without.
    public var allowsCachingHighQualityImages: Bool {
        get { caching.allowsCachingHighQualityImages }
        set { caching.allowsCachingHighQualityImages = newValue }
    }

    /// Prepares images, in the order of the assets. Starting an image again has no effect.
    public func startCachingImages(
        for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
    ) {
        caching.startCachingImages(
            for: assets.map(\.asset), targetSize: PixelSize(targetSize), contentMode: contentMode.mode,
            options: (options ?? PHImageRequestOptions()).options(of: PHInvalidImageRequestID))
    }

    /// Stops preparing images; finished ones stay for as long as there is room.
    public func stopCachingImages(
        for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
    ) {
        caching.stopCachingImages(
            for: assets.map(\.asset), targetSize: PixelSize(targetSize), contentMode: contentMode.mode,
            options: (options ?? PHImageRequestOptions()).options(of: PHInvalidImageRequestID))
    }

    /// Stops preparing all images.
    public func stopCachingImagesForAllAssets() { caching.stopCachingImagesForAllAssets() }
}
