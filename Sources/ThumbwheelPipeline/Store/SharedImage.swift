import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// An image that the cache and results share by reference, so that finding it, or giving it to one more request, copies
/// nothing.
package final class SharedImage: Sendable {
    /// The info for requests whose image comes from the cache. The request's identifier is filled in for each request.
    private let cachedInfo: ImageInfo
    package let facts: ImageFacts
    private let pixels: CountedReference<Bitmap>
    /// The packed pixels or the file; nil if the image consists of unpacked pixels, which are in `pixels`.
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

    /// The unpacked pixels; nil if the image consists of packed pixels, or of an encoded file.
    package var bitmap: Bitmap? { pixels.object }

    /// The packed pixels, if the image consists of packed pixels.
    package var packedPixels: (any PackedPixels)? {
        if case .packed(let packed)? = otherContents { packed } else { nil }
    }

    /// The file, if the image is a file.
    package var file: ImageData? {
        if case .file(let data)? = otherContents { data } else { nil }
    }

    /// The unpacked pixels of the image, for a request that wants pixels and not a file.
    ///
    /// - Precondition: the image consists of unpacked pixels.
    package var requestedPixels: Bitmap {
        guard let bitmap else { preconditionFailure("a request for pixels got none") }
        return bitmap
    }

    /// The encoded file of the image, for a request that wants a file and not pixels.
    ///
    /// - Precondition: the image is a file.
    package var requestedFile: ImageData {
        guard let file else { preconditionFailure("a request for a file got none") }
        return file
    }

    /// Whether a receiver holds the pixels. If so, evicting the image would free no memory.
    ///
    /// Files never count as held, because a receiver's reference to their bytes cannot be told apart from the cache's
    /// own.
    package var isHeldByReceivers: Bool { pixels.isShared }

    /// The info for a request whose image comes from the cache.
    func cachedInfo(for id: ImageRequestID) -> ImageInfo {
        var info = cachedInfo
        info.requestID = id
        return info
    }

    /// The info that is delivered to a request together with this image.
    ///
    /// - Parameter fromCache: whether the image comes from the cache; false if it comes straight from a render.
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
    /// Makes the info for a request whose image comes from the cache. The caller sets the request's identifier.
    fileprivate init(cached facts: ImageFacts, of asset: AssetIdentifier) {
        self.init(requestID: ImageRequestID(rawValue: 0), asset: asset)
        isPartial = facts.isPartial
        pixelSize = facts.pixelSize
        source = .cache
        eighths = facts.eighths
        decoder = facts.decoder
        isFromStore = facts.storageTier != nil
        storageTier = facts.storageTier
        renderMilliseconds = facts.renderMilliseconds
        renderNumber = facts.renderNumber
        isFromNetwork = facts.isFromNetwork
        networkMilliseconds = facts.networkMilliseconds
    }
}
