import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// Prepares the images of assets that will soon be requested. Each view has a caching manager of its own, and many
/// caching managers can share one image manager. See <doc:Semantics#Caching-windows>.
///
/// A caching manager has all methods of an image manager. It answers requests with the threads, the cache and the
/// memory budget of the image manager that it is made from, so a further caching manager takes neither threads nor
/// memory for images. `shutdown` and `cancelAllRequests` affect the image manager and all of its caching managers.
///
/// Prepared images lie in the image manager's cache and serve any request for the same rendition. When the caching
/// manager is destroyed, it stops asking for its images.
///
/// The methods that take lists of assets return soon, even for long lists. When they return, the first part of the list
/// is done; the rest follows in order in the background. Fetch results and arrays are used without a copy; other
/// sequences are copied.
///
/// The class is unchecked `Sendable` because its superclass is. Its own properties are constants of `Sendable` types.
public final class CachingImageManager: ImageManager, @unchecked Sendable {
    /// The manager that makes and caches the images.
    public let imageManager: ImageManager
    let feeder: WindowFeeder

    /// Makes a caching manager that prepares no images yet.
    ///
    /// - Parameter imageManager: The manager that makes and caches the images.
    public convenience init(_ imageManager: ImageManager = .default) {
        self.init(imageManager, feedingOn: .concurrent)
    }

    /// Makes a caching manager that works through long lists of assets on a chosen executor.
    ///
    /// - Parameter executor: runs all steps but the first if a method gets a long list of assets. The first step runs
    ///   on the caller's thread.
    package init(_ imageManager: ImageManager, feedingOn executor: DeliveryExecutor) {
        self.imageManager = imageManager
        feeder = WindowFeeder(imageManager.pipeline, executor: executor)
        super.init(sharing: imageManager)
    }

    deinit {
        feeder.close()
    }

    /// A summary of the window, which is the set of images that this caching manager prepares: their number, and how
    /// many of them are ready.
    public var window: CachingWindow { feeder.window }

    /// The number of caching managers that share the image manager.
    package var cachingManagerCount: Int { imageManager.pipeline.read { $0.windowCount } }

    /// Whether images for high-quality requests are prepared. If false, only the images of `.fast` requests are
    /// prepared, which suits a view that scrolls very fast.
    public var allowsCachingHighQualityImages: Bool {
        get { feeder.window.allowsHighQuality }
        set { feeder.setAllowsHighQuality(newValue) }
    }

    /// Prepares the images of `assets`, in their order, whenever no request for a visible image is waiting. An image
    /// that was passed to this method already is not prepared twice. If it still waits, it moves to its place in the
    /// new order.
    ///
    /// Only these options have an effect: `urgency`, `isNetworkAccessAllowed`, and the options that determine which
    /// image is made. The priority has no effect, because every prepared image comes after the requests for visible
    /// images. Deadline, executor, progress handler and cancellation token have no effect, because no handler receives
    /// the prepared images. The images stay in this manager's `window` until the program that uses this library stops
    /// caching them.
    public func startCachingImages(
        for assets: some Sequence<Asset>, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) {
        let configuration = imageManager.configuration
        let (limits, isolation) = (configuration.limits, configuration.isolation)
        feeder.feed(list(of: assets)) { pipeline, window, assets in
            let wishes = assets.indices.compactMap { index in
                ImageOrder(asset: assets[index], targetSize: targetSize, contentMode: contentMode, options: options)
                    .windowWish(urgency: options.urgency + Double(index), limits: limits, isolation: isolation)
            }
            pipeline.apply { $0.startCaching(wishes, in: window, at: $1) }
        }
    }

    /// Stops caching the images of `assets`. Their renders are dropped or stopped, unless a request or another caching
    /// manager needs them. Finished images stay in the cache as long as there is room for them.
    public func stopCachingImages(
        for assets: some Sequence<Asset>, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) {
        feeder.feed(list(of: assets)) { pipeline, window, assets in
            let keys = assets.map {
                ImageOrder(asset: $0, targetSize: targetSize, contentMode: contentMode, options: options).key
            }
            pipeline.apply { $0.stopCaching(keys, in: window, at: $1) }
        }
    }

    /// Stops caching all images, the oldest first. If a long list is still being added, the rest of the list is dropped
    /// too.
    public func stopCachingImagesForAllAssets() {
        feeder.stopAll()
    }

    private func list(of assets: some Sequence<Asset>) -> FetchResult<Asset> {
        assets as? FetchResult<Asset> ?? FetchResult(assets)
    }
}
