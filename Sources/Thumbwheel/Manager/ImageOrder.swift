import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// An image as a caller orders it, before it is checked and becomes a request or a part of a window.
struct ImageOrder {
    /// The form in which the image is delivered.
    enum Form {
        case bitmap
        case file(ImageEncoding)
        /// The asset's own file, unchanged; the target size and the options do not matter.
        case original
    }

    let asset: Asset
    let targetSize: PixelSize
    let contentMode: ContentMode
    let options: ImageRequestOptions
    var form = Form.bitmap

    private var renderOptions: RenderOptions {
        options.renderOptions(targetSize: targetSize, contentMode: contentMode)
    }

    private var version: ImageVersion { asset.resolved(options.version) }

    /// The head of the version's file. If that has not been read, predictions use the head of the asset.
    private var head: ImageHead { asset.head(of: version) ?? asset.head }
    private var byteCount: Int { asset.fileSize(of: version) ?? asset.fileSize }

    /// The key of the rendition that is the final result of this order.
    var key: RenditionKey {
        switch form {
        case .bitmap: RenditionKey(of: asset, targetSize, contentMode, options)
        case .file(let encoding): RenditionKey(of: asset, targetSize, contentMode, options, encoding: encoding)
        case .original:
            RenditionKey(
                subject: RenditionKey.Subject(asset, options.version), kind: .original,
                options: RenderOptions(targetSize: .maximum))
        }
    }

    func pipelineRequest(
        usesEmbeddedPreviews: Bool, limits: RenderLimits, receiver: ResultReceiver
    ) throws(ImageRequestError) -> PipelineRequest {
        if case .original = form {
            let work = RenderWork(
                fileOf: asset, version, byteCount: byteCount, isRefused: byteCount > limits.byteCount)
            return pipelineRequest(wantsPreview: false, work: work, receiver: receiver)
        }
        let image = try checked(usesEmbeddedPreviews: usesEmbeddedPreviews, limits: limits)
        return pipelineRequest(image, receiver: receiver)
    }

    func pipelineRequest(_ image: CheckedImage, receiver: ResultReceiver) -> PipelineRequest {
        pipelineRequest(wantsPreview: image.wantsPreview, work: image.work, receiver: receiver)
    }

    func checked(usesEmbeddedPreviews: Bool, limits: RenderLimits) throws(ImageRequestError) -> CheckedImage {
        let cost = try check()
        let isRefused = isRefused(at: cost, limits: limits)
        return CheckedImage(
            key: key, work: work(cost, isRefused: isRefused),
            wantsPreview: usesEmbeddedPreviews && wantsPreview(at: cost),
            isWithinReach: !isRefused && (options.isNetworkAccessAllowed || asset.isLocallyAvailable(version)))
    }

    /// Whether a degraded image is worth making before the final one. For a photograph that is not stored locally, only its
    /// local proxy can serve as a degraded image.
    private func wantsPreview(at cost: RenderCost) -> Bool {
        guard asset.isLocallyAvailable(version) else {
            return options.deliveryMode.takesLess && asset.localProxy(of: version) != nil
        }
        return options.deliveryMode.wantsPreview(taking: cost.previewMilliseconds, beside: cost.milliseconds)
    }

    private func work(_ cost: RenderCost, isRefused: Bool) -> RenderWork {
        RenderWork(asset: asset, version, byteCount: byteCount, cost: cost, isRefused: isRefused)
    }

    /// Whether the limits refuse the render by the head of the version's file alone; false if that head has not been read.
    private func isRefused(at cost: RenderCost, limits: RenderLimits) -> Bool {
        guard let head = asset.head(of: version) else { return false }
        return limits.refuse(head, options: renderOptions, geometry: cost.geometry, byteCount: byteCount)
    }

    private func pipelineRequest(
        wantsPreview: Bool, work: RenderWork, receiver: ResultReceiver
    ) -> PipelineRequest {
        PipelineRequest(
            key: key, deliveryMode: options.deliveryMode, priority: options.priority, urgency: options.urgency,
            wantsPreview: wantsPreview, allowsSecondDegraded: options.allowsSecondaryDegradedImage,
            isNetworkAccessAllowed: options.isNetworkAccessAllowed,
            reportsProgress: receiver.wantsProgress, work: work, deadline: options.deadline, receiver: receiver)
    }

    /// Makes the wish by which a caching window prepares the image; nil if a request for the image would be refused.
    func windowWish(urgency: Double, limits: RenderLimits) -> WindowWish? {
        guard let cost = try? check(), options.isNetworkAccessAllowed || asset.isLocallyAvailable(version),
            !isRefused(at: cost, limits: limits)
        else { return nil }
        return WindowWish(key, work: work(cost, isRefused: false), urgency: urgency)
    }

    /// Checks the order and predicts the rendition's cost.
    private func check() throws(ImageRequestError) -> RenderCost {
        guard asset.mediaType == .image else { throw .unsupportedMedia }
        do throws(RenderError) {
            return try RenderCost(head: head, options: renderOptions, byteCount: byteCount)
        } catch {
            throw ImageRequestError(error)
        }
    }
}

extension RenditionKey {
    /// Makes the key of the rendition that is the final result of a request with `options`.
    init(
        of asset: Asset, _ targetSize: PixelSize, _ contentMode: ContentMode, _ options: ImageRequestOptions,
        encoding: ImageEncoding? = nil
    ) {
        self.init(
            subject: Subject(asset, options.version), kind: options.deliveryMode.finalKind,
            options: options.renderOptions(targetSize: targetSize, contentMode: contentMode), encoding: encoding)
    }
}

extension RenditionKey.Subject {
    fileprivate init(_ asset: Asset, _ version: ImageVersion) {
        let version = asset.resolved(version)
        self.init(asset: asset.identifier, picture: asset.pictureVersion(of: version), version: version)
    }
}
