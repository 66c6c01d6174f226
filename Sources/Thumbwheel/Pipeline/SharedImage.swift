import ThumbwheelAssets
import ThumbwheelCore

/// An image as the cache and results hold it: behind a reference, so that finding it, or giving it to one more request,
/// copies nothing.
package final class SharedImage: Sendable {
    /// What a request is told that gets it from the cache; of which request, it says itself.
    private let cachedInfo: ImageInfo
    package let image: PipelineImage

    init(_ image: PipelineImage, of asset: AssetIdentifier) {
        var info = ImageInfo(requestID: ImageRequestID(rawValue: 0), asset: asset)
        info.isDegraded = image.isPartial
        info.isPartial = image.isPartial
        info.pixelSize = image.pixelSize
        info.source = .cache
        info.eighths = image.eighths
        info.decoder = image.decoder
        info.renderMilliseconds = image.renderMilliseconds
        info.renderNumber = image.renderNumber
        info.isFromNetwork = image.isFromNetwork
        info.networkMilliseconds = image.networkMilliseconds
        cachedInfo = info
        self.image = image
    }

    /// What a request is told that gets it from the cache.
    func cachedInfo(for id: ImageRequestID) -> ImageInfo {
        var info = cachedInfo
        info.requestID = id
        return info
    }

    /// What a request is told that gets it as its final image.
    func info(
        for id: ImageRequestID, submittedAt submission: MonotonicTime, fromCache: Bool, at now: MonotonicTime
    ) -> ImageInfo {
        var info = cachedInfo(for: id)
        guard !fromCache else { return info }
        info.source = image.source
        let waited = now.milliseconds(since: submission)
        info.queueMilliseconds = max(0, waited - image.networkMilliseconds - image.renderMilliseconds)
        return info
    }
}
