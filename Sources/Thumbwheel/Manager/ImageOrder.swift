import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// What a caller asks for, before it is checked and becomes a request or a part of a window.
struct ImageOrder {
    let asset: Asset
    let targetSize: PixelSize
    let contentMode: ContentMode
    let options: ImageRequestOptions

    private var renderOptions: RenderOptions {
        options.renderOptions(targetSize: targetSize, contentMode: contentMode)
    }

    /// The rendition that ends such a request.
    var key: RenditionKey {
        RenditionKey(
            subject: RenditionKey.Subject(asset: asset.identifier, contentVersion: asset.contentVersion),
            kind: options.deliveryMode == .fast ? .fast : .high, options: renderOptions)
    }

    func pipelineRequest(
        usesEmbeddedPreviews: Bool, receiver: ResultReceiver
    ) throws(ImageRequestError) -> PipelineRequest {
        try check()
        return PipelineRequest(
            key: key, deliveryMode: options.deliveryMode, priority: options.priority, urgency: options.urgency,
            wantsPreview: usesEmbeddedPreviews && options.deliveryMode == .opportunistic && isPreviewCheap,
            work: work, receiver: receiver)
    }

    /// Nil where a request for the same would be refused: a window of such has nothing to prepare.
    func windowEntry(urgency: Double) -> (key: RenditionKey, work: RenderWork, urgency: Double)? {
        guard (try? check()) != nil else { return nil }
        return (key, work, urgency)
    }

    private func check() throws(ImageRequestError) {
        guard asset.mediaType == .image else { throw .unsupportedMedia }
        guard targetSize == .maximum || !targetSize.isEmpty else {
            throw .invalidRequest(reason: "a target of \(targetSize) pixels")
        }
        if let crop = renderOptions.normalizedCropRect, crop.clampedToUnitSquare == nil {
            throw .invalidRequest(reason: "a crop that is empty or not finite")
        }
    }
}
