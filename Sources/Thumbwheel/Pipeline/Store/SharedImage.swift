import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// An image as the cache and results hold it: behind a reference, so that finding it, or giving it to one more request,
/// copies nothing.
package final class SharedImage: Sendable {
    /// What a request is told that gets it from the cache; of which request, it says itself.
    private let cachedInfo: ImageInfo
    /// Without what holds its pixels.
    package let image: PipelineImage
    private let pixels: CountedReference<Bitmap>
    private let standInReference: CountedReference<PixelStandIn>

    package init(_ image: PipelineImage, of asset: AssetIdentifier) {
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
        pixels = CountedReference(image.bitmap)
        standInReference = CountedReference(image.bitmap == nil && image.data == nil ? PixelStandIn() : nil)
        var image = image
        image.bitmap = nil
        self.image = image
    }

    /// Nil where there are bytes instead, and in simulated runs.
    package var bitmap: Bitmap? { pixels.object }

    /// In simulated runs: what is held by those who would hold the pixels.
    package var standIn: PixelStandIn? { standInReference.object }

    /// The image with its pixels, as a worker takes it.
    var imageWithPixels: PipelineImage {
        var image = image
        image.bitmap = bitmap
        return image
    }

    /// Whether a receiver has the pixels: then letting go of the image gives no memory back.
    ///
    /// Bytes of files are nobody's: who receives them has a reference that cannot be told from the cache's own.
    package var isHeldByReceivers: Bool {
        pixels.isShared || standInReference.isShared
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

/// What is held in place of pixels where there are none.
package final class PixelStandIn: Sendable {}

/// The images that an event delivers: as it ends they are not in their receivers' hands yet.
struct ImagesOnTheWay: Sendable {
    private var identifiers: [ObjectIdentifier] = []
    private var isOver = false

    mutating func add(_ image: SharedImage) {
        forgetLastEvent()
        let identifier = ObjectIdentifier(image)
        // One image often has many receivers.
        if identifiers.last != identifier { identifiers.append(identifier) }
    }

    func contains(_ image: SharedImage) -> Bool { identifiers.contains(ObjectIdentifier(image)) }

    /// What comes now belongs to another event.
    mutating func endEvent() {
        isOver = true
    }

    mutating func forgetLastEvent() {
        guard isOver else { return }
        identifiers.removeAll(keepingCapacity: true)
        isOver = false
    }
}
