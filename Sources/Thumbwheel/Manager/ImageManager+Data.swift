import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// Requests a thumbnail of an asset as the bytes of an image file: upright, in sRGB, without metadata.
    ///
    /// Encoded thumbnails are cached in the same way as bitmaps. If the bitmap is already cached, it only needs to be
    /// encoded.
    ///
    /// - Parameters:
    ///   - asset: The asset.
    ///   - targetSize: The size in pixels.
    ///   - contentMode: Whether the image lies inside the target or covers it.
    ///   - encoding: The format of the file.
    ///   - options: The options of the request. With the delivery mode `.opportunistic`, the image has high quality,
    ///     and no degraded image comes before it. A damaged photograph is an error with `.highQuality`; with the other
    ///     two modes, it gives an image of the part that could be decoded.
    ///   - resultHandler: Receives one result.
    /// - Returns: The identifier that cancels the request.
    @discardableResult
    public func requestImageData(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        encoding: ImageEncoding = .jpeg(quality: 85), options: ImageRequestOptions = ImageRequestOptions(),
        resultHandler: @escaping @Sendable (ImageDataResult) -> Void
    ) -> ImageRequestID {
        requestData(fileOrder(asset, targetSize, contentMode, encoding, options), resultHandler)
    }

    /// Requests the unchanged file of the version of an asset that `options.version` names. The current version is the
    /// edited picture if the asset has been adjusted, and the original photograph if not. See
    /// <doc:Semantics#Data-requests>. The options that concern pixels have no effect: the delivery mode, the resize
    /// mode, the crop, sampling, linear light, upscaling and the second degraded image.
    @discardableResult
    public func requestImageDataAndOrientation(
        for asset: Asset, options: ImageRequestOptions = ImageRequestOptions(),
        resultHandler: @escaping @Sendable (ImageDataResult) -> Void
    ) -> ImageRequestID {
        requestData(originalOrder(asset, options), resultHandler)
    }

    /// Returns a thumbnail of `asset` as the bytes of an image file. Cancelling the task cancels the request.
    ///
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func imageData(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        encoding: ImageEncoding = .jpeg(quality: 85), options: ImageRequestOptions = ImageRequestOptions()
    ) async throws(ImageRequestError) -> ImageData {
        try await data(fileOrder(asset, targetSize, contentMode, encoding, options))
    }

    /// Returns the unchanged file of a version of `asset`. Cancelling the task cancels the request.
    ///
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func imageData(
        for asset: Asset, options: ImageRequestOptions = ImageRequestOptions()
    ) async throws(ImageRequestError) -> ImageData {
        try await data(originalOrder(asset, options))
    }

    /// Returns the entity tag of the thumbnail that a request with these parameters delivers, without making the
    /// thumbnail.
    public func entityTag(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        encoding: ImageEncoding = .jpeg(quality: 85), options: ImageRequestOptions = ImageRequestOptions()
    ) -> EntityTag {
        let key = fileOrder(asset, targetSize, contentMode, encoding, options).key
        return EntityTag(key, of: asset, usesEmbeddedPreviews: configuration.usesEmbeddedPreviews)
    }

    /// Returns a thumbnail as the bytes of an image file, if the cache has it; nil if not. Makes no request and renders
    /// nothing.
    package func cachedData(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode, encoding: ImageEncoding,
        options: ImageRequestOptions
    ) -> ImageData? {
        cachedAnswer(to: fileOrder(asset, targetSize, contentMode, encoding, options))?.shared.requestedFile
    }

    private func fileOrder(
        _ asset: Asset, _ targetSize: PixelSize, _ contentMode: ContentMode, _ encoding: ImageEncoding,
        _ options: ImageRequestOptions
    ) -> ImageOrder {
        ImageOrder(
            asset: asset, targetSize: targetSize, contentMode: contentMode, options: options, form: .file(encoding),
            wantsDegraded: false)
    }

    private func originalOrder(_ asset: Asset, _ options: ImageRequestOptions) -> ImageOrder {
        var options = options
        options.deliveryMode = .highQuality
        return ImageOrder(
            asset: asset, targetSize: .maximum, contentMode: .aspectFit, options: options, form: .original)
    }

    private func requestData(
        _ order: ImageOrder, _ handler: @escaping @Sendable (ImageDataResult) -> Void
    ) -> ImageRequestID {
        let receiver = ResultReceiver(
            executor: order.options.executor ?? configuration.executor,
            progressHandler: order.options.progressHandler, handler: handler)
        return submit(
            order, to: receiver, isImmediate: order.options.allowsImmediateDelivery,
            tokens: [order.options.cancellationToken])
    }

    private func data(_ order: ImageOrder) async throws(ImageRequestError) -> ImageData {
        if let answer = cachedAnswer(to: order) {
            return answer.shared.requestedFile
        }
        let result: ImageDataResult = await withTaskToken { token, resume in
            _ = submit(
                order,
                to: ResultReceiver(executor: .inline, progressHandler: order.options.progressHandler, handler: resume),
                isImmediate: true,
                tokens: [token, order.options.cancellationToken])
        }
        switch result {
        case .final(let data, _): return data
        case .failed(let error, _): throw error
        case .cancelled: throw .cancelled
        }
    }
}
