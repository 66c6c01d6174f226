import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelRendering

extension ImageManager {
    /// Requests a Live Photo: its still at a size, and its movie.
    ///
    /// The still is made like any image. In opportunistic delivery, degraded Live Photos come first: each still is
    /// passed on at once, with or without the movie. The final Live Photo always has the final still and the movie. If
    /// one of the two cannot be had, the request fails. See <doc:Semantics#Moving-pictures>.
    ///
    /// - Parameters:
    ///   - asset: The asset. If it has no movie, the request ends as `.failed(.unsupportedMedia)`.
    ///   - targetSize: The size of the still in pixels; `.maximum` for the largest that the photograph gives.
    ///   - contentMode: Whether the still lies inside the target or covers it.
    ///   - options: The options of the still. Version, network access, progress, deadline, executor and token hold for
    ///     the movie as well.
    ///   - resultHandler: Receives any number of degraded Live Photos and then one terminal result.
    /// - Returns: The identifier that cancels the request.
    @discardableResult
    public func requestLivePhoto(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions(),
        resultHandler: @escaping @Sendable (LivePhotoResult) -> Void
    ) -> ImageRequestID {
        let request = beginMediaRequest(for: asset, options.executor, options.cancellationToken) {
            resultHandler(.cancelled($0))
        }
        guard !request.isOver else { return request.info.requestID }
        guard asset.mediaType == .image, let resource = asset.movieResource(of: options.version) else {
            request.end { resultHandler(.failed(.unsupportedMedia, request.info)) }
            return request.info.requestID
        }
        if let deadline = options.deadline {
            request.end(after: deadline) { resultHandler(.failed(.deadlineExceeded, request.info)) }
        }
        let assembly = LivePhotoAssembly(
            request, passesDegraded: options.deliveryMode == .opportunistic, handler: resultHandler)
        let opening = MovieOpening(
            resource: resource, isNetworkAccessAllowed: options.isNetworkAccessAllowed,
            progressHandler: options.progressHandler)
        opening.start(for: request, fail: assembly.fail, assembly.take)
        guard !request.isOver else { return request.info.requestID }
        requestImage(
            for: asset, targetSize: targetSize, contentMode: contentMode, options: options.ofStill(for: request)
        ) { assembly.take($0) }
        return request.info.requestID
    }

    /// Returns a Live Photo with its final still and its movie. Cancelling the task cancels the request.
    ///
    /// - Parameters:
    ///   - asset: The asset.
    ///   - targetSize: The size of the still in pixels; `.maximum` for the largest that the photograph gives.
    ///   - contentMode: Whether the still lies inside the target or covers it.
    ///   - options: The options of the still, some of which hold for the movie as well.
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func livePhoto(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) async throws(ImageRequestError) -> LivePhoto {
        guard !Task.isCancelled else { throw .cancelled }
        let result: LivePhotoResult = await withTaskToken { token, resume in
            let id = requestLivePhoto(
                for: asset, targetSize: targetSize, contentMode: contentMode, options: options
            ) { if $0.isTerminal { resume($0) } }
            token.onCancel { [weak self] in self?.cancelImageRequest(id) }
        }
        switch result {
        case .final(let photo, _), .degraded(let photo, _): return photo
        case .failed(let error, _): throw error
        case .cancelled: throw .cancelled
        }
    }
}

extension ImageRequestOptions {
    /// The options of the request for the still of a Live Photo. Reports of the still's progress are queued in the Live
    /// Photo's request, so that the handlers of the Live Photo are called one after another.
    fileprivate func ofStill(for request: MediaRequest) -> ImageRequestOptions {
        var options = self
        options.executor = .inline
        options.cancellationToken = request.token
        if let progressHandler {
            options.progressHandler = { progress, _ in
                let own = ImageProgress(
                    requestID: request.info.requestID, fraction: progress.fraction, error: progress.error)
                request.pass {
                    var isToStop = false
                    progressHandler(own, &isToStop)
                    if isToStop { request.cancel() }
                }
            }
        }
        return options
    }
}
