import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// Prepares the images of assets that will soon be asked for: one for each view or viewer, over an image manager that
/// many can share. See <doc:Semantics#Caching-windows>.
///
/// Prepared images lie in the image manager's cache and serve any request for the same rendition. When the caching
/// manager goes away, so does its wish for all of them.
///
/// Its methods return soon whatever they are given: the first part of a long list is in the window at their return,
/// the rest follows by itself, in order. Fetch results and arrays are kept as they are; other sequences are copied.
public final class CachingImageManager: Sendable {
    /// The manager that makes and keeps the images.
    public let imageManager: ImageManager
    let feeder: WindowFeeder

    /// Makes a caching manager without a window.
    ///
    /// - Parameter imageManager: The manager that makes and keeps the images.
    public convenience init(_ imageManager: ImageManager = ImageManager()) {
        self.init(imageManager, feedingOn: .concurrent)
    }

    /// - Parameter executor: runs the later pieces of changes with long lists.
    package init(_ imageManager: ImageManager, feedingOn executor: DeliveryExecutor) {
        self.imageManager = imageManager
        feeder = WindowFeeder(imageManager.pipeline, executor: executor)
    }

    deinit {
        feeder.close()
    }

    /// The number of images that the manager keeps ready, and how many of them are ready now.
    public var window: CachingWindow { feeder.window }

    /// How many caching managers share the image manager.
    package var viewerCount: Int { imageManager.pipeline.read { $0.windowCount } }

    /// Whether windows are filled with what high-quality requests need, or, while a view races, only with what fast ones do.
    public var allowsCachingHighQualityImages: Bool {
        get { feeder.window.allowsHighQuality }
        set { feeder.setAllowsHighQuality(newValue) }
    }

    /// Has the images of `assets` prepared, in their order, when no visible work waits. Starting twice is starting once;
    /// starting again moves what still waits to the new order.
    public func startCachingImages(
        for assets: some Sequence<Asset>, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) {
        let limits = imageManager.configuration.limits
        feeder.feed(list(of: assets)) { pipeline, window, assets in
            let wishes = assets.indices.compactMap { index in
                ImageOrder(asset: assets[index], targetSize: targetSize, contentMode: contentMode, options: options)
                    .windowWish(urgency: options.urgency + Double(index), limits: limits)
            }
            pipeline.apply { $0.startCaching(wishes, in: window, at: $1) }
        }
    }

    /// Stops caching the images of `assets`. Queued renders are dropped, and running ones stop unless others want them.
    /// Finished images stay in the cache as long as there is room.
    public func stopCachingImages(
        for assets: some Sequence<Asset>, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) {
        feeder.feed(list(of: assets)) { pipeline, window, assets in
            let keys = assets.map {
                ImageOrder(asset: $0, targetSize: targetSize, contentMode: contentMode, options: options).key
            }
            pipeline.apply { $0.stopCaching(keys, in: window, at: $1) }
        }
    }

    /// Ends the wish for all images, those started first before all others.
    public func stopCachingImagesForAllAssets() {
        feeder.stopAll()
    }

    private func list(of assets: some Sequence<Asset>) -> FetchResult<Asset> {
        assets as? FetchResult<Asset> ?? FetchResult(assets)
    }

    /// `ImageManager.requestImage`, of the manager underneath.
    @discardableResult
    public func requestImage(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions(),
        resultHandler: @escaping @Sendable (ImageResult) -> Void
    ) -> ImageRequestID {
        imageManager.requestImage(
            for: asset, targetSize: targetSize, contentMode: contentMode, options: options, resultHandler: resultHandler
        )
    }

    /// Cancels a request of the manager underneath; see `ImageManager.cancelImageRequest`.
    public func cancelImageRequest(_ id: ImageRequestID) {
        imageManager.cancelImageRequest(id)
    }
}
