import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// A caller's order for an image. After a check, it becomes a request, or an entry in the list of images that a caching
/// manager prepares.
struct ImageOrder {
    /// The form in which the image is delivered.
    enum Form {
        case bitmap
        case file(ImageEncoding)
        /// The unchanged file of the requested version; the target size and the options that concern pixels do not
        /// matter.
        case original
    }

    let asset: Asset
    let targetSize: PixelSize
    let contentMode: ContentMode
    let options: ImageRequestOptions
    var form = Form.bitmap
    /// Whether degraded images may come before the final one.
    var wantsDegraded = true

    private var renderOptions: RenderOptions {
        let isFile = if case .bitmap = form { false } else { true }
        return options.renderOptions(targetSize: targetSize, contentMode: contentMode, isFile: isFile)
    }

    private var version: ImageVersion { asset.resolved(options.version) }

    /// The facts from the header of the version's file, on which predictions are based. If that header has not been
    /// read, the header of the asset's main file is used instead.
    private var head: ImageHead { asset.head(of: version) ?? asset.head }
    /// The predicted number of bytes of the file that are read to make the image:
    ///
    /// - For a photograph, the length of the file.
    /// - For a video, if a video decoder is installed, the length of the video's index and of some frames.
    /// - For a video, if no video decoder is installed, the length of the cover picture.
    private var byteCount: Int {
        asset.mediaType == .video ? head.pictureByteCount(ofFile: fileByteCount) : fileByteCount
    }
    private var fileByteCount: Int { asset.fileSize(of: version) ?? asset.fileSize }

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
        usesEmbeddedPreviews: Bool, limits: RenderLimits, isolation: Isolation, receiver: ResultReceiver
    ) throws(ImageRequestError) -> PipelineRequest {
        if case .original = form {
            let work = RenderWork(
                fileOf: asset, version, byteCount: fileByteCount, isRefused: fileByteCount > limits.byteCount)
            return pipelineRequest(wantsPreview: false, work: work, receiver: receiver)
        }
        let image = try checked(
            usesEmbeddedPreviews: usesEmbeddedPreviews, limits: limits, isolation: isolation)
        return pipelineRequest(image, receiver: receiver)
    }

    func pipelineRequest(_ image: CheckedImage, receiver: ResultReceiver) -> PipelineRequest {
        var request = pipelineRequest(wantsPreview: image.wantsPreview, work: image.work, receiver: receiver)
        request.wantsFastDegraded = image.wantsFastDegraded
        return request
    }

    func checked(
        usesEmbeddedPreviews: Bool, limits: RenderLimits, isolation: Isolation
    ) throws(ImageRequestError) -> CheckedImage {
        let cost = try check(isolation: isolation)
        let isRefused = isRefused(at: cost, limits: limits)
        let isLocal = asset.isLocallyAvailable(version)
        return CheckedImage(
            key: key, work: work(cost, isRefused: isRefused, isLocal: isLocal),
            wantsPreview: usesEmbeddedPreviews && wantsPreview(at: cost, isLocal: isLocal),
            wantsFastDegraded: isLocal && !isRefused && wantsFastDegraded(at: cost),
            isWithinReach: !isRefused && (options.isNetworkAccessAllowed || isLocal))
    }

    /// Whether a degraded image should be made before the final one. It should in these cases:
    ///
    /// - The photograph is stored locally, and decoding an embedded preview takes much less time than the final image.
    /// - The photograph is stored elsewhere and has a local proxy (a small copy that is stored locally).
    /// - The photograph is stored elsewhere, and an embedded preview comes over the network much sooner than the whole
    ///   file.
    private func wantsPreview(at cost: RenderCost, isLocal: Bool) -> Bool {
        guard wantsDegraded else { return false }
        guard isLocal else {
            return options.deliveryMode.acceptsDegraded
                && (asset.localProxy(of: version) != nil
                    || options.isNetworkAccessAllowed && remotePreviewByteCount != nil)
        }
        return options.deliveryMode.wantsPreview(taking: cost.previewMilliseconds, beside: cost.milliseconds)
    }

    /// Whether the image that a `.fast` request would get should be delivered before the final image, as a second
    /// degraded image. Two conditions must hold. The options allow a second degraded image. Making the fast image is
    /// predicted to take at most half as long as making the final image.
    private func wantsFastDegraded(at cost: RenderCost) -> Bool {
        guard options.allowSecondaryDegradedImage, wantsDegraded, options.deliveryMode.acceptsDegraded else {
            return false
        }
        var options = renderOptions
        options.quality = .fast
        guard let fast = try? RenderCost(head: head, options: options, byteCount: byteCount) else { return false }
        return fast.minimumMilliseconds <= cost.milliseconds / 2
    }

    private func work(_ cost: RenderCost, isRefused: Bool, isLocal: Bool) -> RenderWork {
        guard !isLocal else {
            return RenderWork(asset: asset, version, byteCount: byteCount, cost: cost, isRefused: isRefused)
        }
        return RenderWork(
            asset: asset, version, byteCount: byteCount, cost: cost, isRefused: isRefused,
            isReadByRanges: offersRanges
                && RemoteReading.isByRanges(head, options: renderOptions, byteCount: byteCount),
            remotePreviewByteCount: remotePreviewByteCount)
    }

    /// Whether the version's file is not stored locally, but its provider can read single ranges of it. The ranges are
    /// found through the file's header, so the header must be known.
    private var offersRanges: Bool {
        guard case .provider(let provider) = asset.resource(of: version).source else { return false }
        return provider.requiresNetwork && provider.offersRanges && asset.head(of: version) != nil
    }

    /// The number of bytes that must be fetched to make the degraded image, if the file is not stored locally. Nil if
    /// no degraded image is made from fetched bytes.
    private var remotePreviewByteCount: Int? {
        guard offersRanges, asset.localProxy(of: version) == nil else { return nil }
        return RemoteReading.previewByteCount(head, byteCount: byteCount)
    }

    /// Whether the render is certain to exceed the configured limits, judged by the header of the version's file; false
    /// if that header has not been read.
    private func isRefused(at cost: RenderCost, limits: RenderLimits) -> Bool {
        guard let head = asset.head(of: version) else { return false }
        return limits.areCertainlyExceeded(
            by: head, options: renderOptions, geometry: cost.geometry, byteCount: byteCount)
    }

    private func pipelineRequest(
        wantsPreview: Bool, work: RenderWork, receiver: ResultReceiver
    ) -> PipelineRequest {
        var request = PipelineRequest(
            key: key, deliveryMode: options.deliveryMode, priority: options.priority, urgency: options.urgency,
            wantsPreview: wantsPreview, allowsSecondDegraded: options.allowSecondaryDegradedImage,
            isNetworkAccessAllowed: options.isNetworkAccessAllowed,
            reportsProgress: receiver.wantsProgress, work: work, deadline: options.deadline, receiver: receiver)
        request.wantsDegraded = wantsDegraded
        request.budgetShare = options.budgetShare
        return request
    }

    /// Returns an entry for this image, which the caller can add to the list of images that a caching manager prepares.
    /// The list itself is not changed. Returns nil if the order is invalid, if the render exceeds the configured
    /// limits, or if the bytes are not stored locally and may not be fetched.
    func windowWish(urgency: Double, limits: RenderLimits, isolation: Isolation) -> WindowWish? {
        let isLocal = asset.isLocallyAvailable(version)
        guard let cost = try? check(isolation: isolation), options.isNetworkAccessAllowed || isLocal,
            !isRefused(at: cost, limits: limits)
        else { return nil }
        return WindowWish(key, work: work(cost, isRefused: false, isLocal: isLocal), urgency: urgency)
    }

    /// Whether the asset is a video that can be shown, and its cover picture or frames can be read without reading the
    /// whole file. A video is never fetched as a whole for an image.
    private var isVideoWithinReach: Bool {
        asset.mediaType == .video && head.isShownVideo && !head.storedSize.isEmpty
            && (asset.isLocallyAvailable(version) || offersRanges)
    }

    /// Checks the order and predicts the rendition's cost.
    private func check(isolation: Isolation) throws(ImageRequestError) -> RenderCost {
        guard asset.mediaType == .image || isVideoWithinReach else { throw .unsupportedMedia }
        do throws(RenderError) {
            return try RenderCost(head: head, options: renderOptions, byteCount: byteCount, isolation: isolation)
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
        var renderOptions = options.renderOptions(
            targetSize: targetSize, contentMode: contentMode, isFile: encoding != nil)
        // A photograph has only one picture, whatever the requested time. So keys of photographs contain no time, and
        // requests with different times share a rendition.
        if options.frameTime != nil, asset.mediaType != .video { renderOptions.frameTime = nil }
        self.init(
            subject: Subject(asset, options.version), kind: options.deliveryMode.finalKind, options: renderOptions,
            encoding: encoding)
    }
}

extension RenditionKey.Subject {
    fileprivate init(_ asset: Asset, _ version: ImageVersion) {
        let version = asset.resolved(version)
        self.init(asset: asset.identifier, picture: asset.pictureVersion(of: version), version: version)
    }
}
