import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// Prepares the images of assets that will soon be asked for (rows 150 to 154): one per view, or per viewer, over an
/// image manager that many can share.
///
/// What it prepares lies in the image manager's cache and serves any request for the same rendition. When it goes away, so
/// does its wish for all of them.
public final class CachingImageManager: Sendable {
    public let imageManager: ImageManager
    let window: Int

    public init(_ imageManager: ImageManager = ImageManager()) {
        self.imageManager = imageManager
        window = imageManager.pipeline.apply { state, _ in state.addWindow() }
    }

    deinit {
        imageManager.pipeline.apply { [window] in $0.removeWindow(window, at: $1) }
    }

    /// Whether windows are filled with what high-quality requests need, or, while a view races, only with what fast ones do.
    public var allowsCachingHighQualityImages: Bool {
        get { imageManager.pipeline.read { $0.allowsHighQuality(in: window) } }
        set {
            imageManager.pipeline.apply { [window] in $0.setAllowsHighQuality(newValue, in: window, at: $1) }
        }
    }

    /// Has the images of `assets` prepared, in their order, when no visible work waits. Starting twice is starting once;
    /// starting again moves what still waits to the new order.
    ///
    /// Returns after work proportional to the number of assets given, whatever is queued.
    public func startCachingImages(
        for assets: some Sequence<Asset>, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) {
        let entries = assets.enumerated().compactMap { index, asset in
            ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
                .windowEntry(urgency: options.urgency + Double(index))
        }
        imageManager.pipeline.apply { [window] in $0.startCaching(entries, in: window, at: $1) }
    }

    /// Ends the wish for the images of `assets`: what is queued disappears, what runs for nobody else is stopped, what is
    /// made stays as long as there is room.
    public func stopCachingImages(
        for assets: some Sequence<Asset>, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) {
        let keys = assets.map {
            ImageOrder(asset: $0, targetSize: targetSize, contentMode: contentMode, options: options).key
        }
        imageManager.pipeline.apply { [window] in $0.stopCaching(keys, in: window, at: $1) }
    }

    public func stopCachingImagesForAllAssets() {
        imageManager.pipeline.apply { [window] in $0.stopCachingAll(in: window, at: $1) }
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

    public func cancelImageRequest(_ id: ImageRequestID) {
        imageManager.cancelImageRequest(id)
    }
}
