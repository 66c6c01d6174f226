import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// An image as the cache and results hold it: behind a reference, so that finding it, or giving it to one more request,
/// copies nothing.
package final class SharedImage: Sendable {
    /// What a request is told that gets it from the cache; of which request, it says itself.
    private let cachedInfo: ImageInfo
    package let facts: ImageFacts
    private let pixels: CountedReference<Bitmap>
    /// Nil for pixels, which `pixels` holds.
    private let otherContents: ImageContents?

    package init(_ image: PipelineImage, of asset: AssetIdentifier) {
        facts = image.facts
        cachedInfo = ImageInfo(cached: image.facts, of: asset)
        if case .pixels(let bitmap) = image.contents {
            pixels = CountedReference(bitmap)
            otherContents = nil
        } else {
            pixels = CountedReference(nil)
            otherContents = image.contents
        }
    }

    /// Nil where there are packed pixels or a file instead.
    package var bitmap: Bitmap? { pixels.object }

    /// The packed pixels, if it consists of such.
    package var packedPixels: (any PackedPixels)? {
        if case .packed(let packed)? = otherContents { packed } else { nil }
    }

    /// The file, if it is one.
    package var file: ImageData? {
        if case .file(let data)? = otherContents { data } else { nil }
    }

    /// The pixels that a request for pixels gets.
    package var requestedPixels: Bitmap {
        guard let bitmap else { preconditionFailure("a request for pixels got none") }
        return bitmap
    }

    /// The file that a request for a file gets.
    package var requestedFile: ImageData {
        guard let file else { preconditionFailure("a request for a file got none") }
        return file
    }

    /// Whether a receiver has the pixels: then letting go of the image gives no memory back.
    ///
    /// Bytes of files are nobody's: who receives them has a reference that cannot be told from the cache's own.
    package var isHeldByReceivers: Bool { pixels.isShared }

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
        info.source = facts.source
        let waited = now.milliseconds(since: submission)
        info.queueMilliseconds = max(0, waited - facts.networkMilliseconds - facts.renderMilliseconds)
        return info
    }
}

extension ImageInfo {
    /// What a request is told that gets an image from the cache, but for the request's identifier.
    fileprivate init(cached facts: ImageFacts, of asset: AssetIdentifier) {
        self.init(requestID: ImageRequestID(rawValue: 0), asset: asset)
        isPartial = facts.isPartial
        pixelSize = facts.pixelSize
        source = .cache
        eighths = facts.eighths
        decoder = facts.decoder
        renderMilliseconds = facts.renderMilliseconds
        renderNumber = facts.renderNumber
        isFromNetwork = facts.isFromNetwork
        networkMilliseconds = facts.networkMilliseconds
    }
}
