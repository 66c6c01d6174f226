import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline

extension ImageManager {
    /// Requests everything that an editor needs to edit an asset's photograph.
    ///
    /// If the asset has been edited before, `canHandleAdjustmentData` decides whether the editor can continue that
    /// edit; see <doc:Semantics#Editing>.
    ///
    /// - Parameters:
    ///   - asset: The asset; a video or a sound fails with `.unsupportedMedia`.
    ///   - options: Which edits the editor can continue, the size of the display image, network access, progress, the
    ///     token that cancels, and the executor of the handlers.
    ///   - completionHandler: Called once.
    /// - Returns: The identifier that cancels the request.
    @discardableResult
    public func requestContentEditingInput(
        for asset: Asset, options: ContentEditingInputRequestOptions = ContentEditingInputRequestOptions(),
        completionHandler: @escaping @Sendable (Result<ContentEditingInput, ImageRequestError>) -> Void
    ) -> ContentEditingInputRequestID {
        let id = ContentEditingInputRequestID()
        let registration = options.cancellationToken?.onCancel { [token = id.token] in token.cancel() }
        let executor = options.executor ?? configuration.executor
        // Reading the adjustment data can take long, and so can asking the editor whether it can handle the data. So
        // both are done on a thread that is allowed to block.
        BlockingThreads.reads.run { [self] in
            let complete: @Sendable (Result<ContentEditingInput, ImageRequestError>) -> Void = { result in
                if let registration { options.cancellationToken?.removeHandler(registration) }
                completionHandler(result)
            }
            do throws(ImageRequestError) {
                let subject = try EditingSubject(asset, options)
                requestDisplayImage(of: subject, for: asset, options, id.token, complete)
            } catch {
                executor.run { complete(.failure(error)) }
            }
        }
        return id
    }

    /// Returns everything that an editor needs to edit an asset's photograph. Cancelling the task cancels the request.
    ///
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func contentEditingInput(
        for asset: Asset, options: ContentEditingInputRequestOptions = ContentEditingInputRequestOptions()
    ) async throws(ImageRequestError) -> ContentEditingInput {
        let result: Result<ContentEditingInput, ImageRequestError> = await withTaskToken { token, resume in
            let id = requestContentEditingInput(for: asset, options: options, completionHandler: resume)
            token.onCancel { id.token.cancel() }
        }
        return try result.get()
    }

    /// Cancels a request for the input of an edit, which then completes with `.cancelled`; does nothing if the request
    /// has ended.
    public func cancelContentEditingInputRequest(_ id: ContentEditingInputRequestID) {
        id.token.cancel()
    }

    private func requestDisplayImage(
        of subject: EditingSubject, for asset: Asset, _ options: ContentEditingInputRequestOptions,
        _ token: CancellationToken,
        _ complete: @escaping @Sendable (Result<ContentEditingInput, ImageRequestError>) -> Void
    ) {
        let imageOptions = ImageRequestOptions { image in
            image.deliveryMode = .highQuality
            image.version = subject.version
            image.isNetworkAccessAllowed = options.isNetworkAccessAllowed
            image.progressHandler = options.progressHandler
            image.cancellationToken = token
            image.executor = options.executor
        }
        requestImage(for: subject.shownAsset, targetSize: options.displaySize, options: imageOptions) { result in
            switch result {
            case .final(let bitmap, _), .degraded(let bitmap, _):
                complete(
                    .success(
                        ContentEditingInput(
                            asset: asset, adjustmentData: subject.adjustmentData, displaySizeImage: bitmap,
                            fullSizeImage: subject.file, fullSizeImageOrientation: subject.head.orientation,
                            contentType: subject.head.contentType)))
            case .failed(let error, _): complete(.failure(error))
            case .cancelled: complete(.failure(.cancelled))
            }
        }
    }
}
