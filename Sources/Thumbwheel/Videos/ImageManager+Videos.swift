import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline

extension ImageManager {
    /// Requests a description of a video: its tracks, its duration, and a source from which its bytes can be read. No
    /// frame is decoded, and no decoder of videos need be installed.
    ///
    /// The request itself reads only the header of the file. It ends with exactly one result, as all requests do; see
    /// <doc:Semantics#Moving-pictures>.
    ///
    /// - Parameters:
    ///   - asset: The asset. If it is not a video, the request ends as `.failed(.unsupportedMedia)`.
    ///   - options: The version, network access, progress, the executor and the token that cancels.
    ///   - resultHandler: Called once.
    /// - Returns: The identifier that cancels the request.
    @discardableResult
    public func requestAVAsset(
        for asset: Asset, options: VideoRequestOptions = VideoRequestOptions(),
        resultHandler: @escaping @Sendable (MediaResult<Movie>) -> Void
    ) -> ImageRequestID {
        requestMedia(of: asset, options, resultHandler) { $0 }
    }

    /// Requests a video that is ready to be played. The result has everything that
    /// `requestAVAsset(for:options:resultHandler:)` delivers, and an entity tag of the bytes, which a service needs to
    /// answer range requests.
    ///
    /// - Parameters:
    ///   - asset: The asset. If it is not a video, the request ends as `.failed(.unsupportedMedia)`.
    ///   - options: The version, network access, progress, the executor and the token that cancels.
    ///   - resultHandler: Called once.
    /// - Returns: The identifier that cancels the request.
    @discardableResult
    public func requestPlayerItem(
        for asset: Asset, options: VideoRequestOptions = VideoRequestOptions(),
        resultHandler: @escaping @Sendable (MediaResult<PlayerItem>) -> Void
    ) -> ImageRequestID {
        requestMedia(of: asset, options, resultHandler) {
            PlayerItem(movie: $0, entityTag: EntityTag(of: $0, in: asset, asset.resolved(options.version)))
        }
    }

    /// Returns a description of a video: its tracks, its duration, and a source from which its bytes can be read.
    /// Cancelling the task cancels the request.
    ///
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func movie(
        for asset: Asset, options: VideoRequestOptions = VideoRequestOptions()
    ) async throws(ImageRequestError) -> Movie {
        try await media { requestAVAsset(for: asset, options: options, resultHandler: $0) }
    }

    /// Returns a video that is ready to be played, with a tag of its bytes. Cancelling the task cancels the request.
    ///
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func playerItem(
        for asset: Asset, options: VideoRequestOptions = VideoRequestOptions()
    ) async throws(ImageRequestError) -> PlayerItem {
        try await media { requestPlayerItem(for: asset, options: options, resultHandler: $0) }
    }

    func media<Value: Sendable>(
        _ request: (@escaping @Sendable (MediaResult<Value>) -> Void) -> ImageRequestID
    ) async throws(ImageRequestError) -> Value {
        // Makes no request if the task is already cancelled. Otherwise the request might read bytes before the
        // cancellation reaches it.
        guard !Task.isCancelled else { throw .cancelled }
        let result: MediaResult<Value> = await withTaskToken { token, resume in
            let id = request(resume)
            token.onCancel { [weak self] in self?.cancelImageRequest(id) }
        }
        return try result.get()
    }

    /// Reads the movie of a video, turns it into the requested value, and delivers this value.
    ///
    /// - Parameters:
    ///   - isPossible: whether this process can make the requested value. If not, the request ends as
    ///     `.failed(.unsupportedMedia)`.
    ///   - make: makes the requested value from the movie; called on a thread of the library.
    func requestMedia<Value: Sendable>(
        of asset: Asset, _ options: VideoRequestOptions, isPossible: Bool = true,
        _ resultHandler: @escaping @Sendable (MediaResult<Value>) -> Void,
        _ make: @escaping @Sendable (Movie) -> Value
    ) -> ImageRequestID {
        let request = beginMediaRequest(for: asset, options.executor, options.cancellationToken) {
            resultHandler(.cancelled($0))
        }
        guard !request.isOver else { return request.info.requestID }
        guard isPossible, asset.mediaType == .video, let resource = asset.movieResource(of: options.version) else {
            request.end { resultHandler(.failed(.unsupportedMedia, request.info)) }
            return request.info.requestID
        }
        let opening = MovieOpening(
            resource: resource, isNetworkAccessAllowed: options.isNetworkAccessAllowed,
            progressHandler: options.progressHandler)
        opening.start(for: request) { error, info in
            request.end { resultHandler(.failed(error, info)) }
        } _: { movie, info in
            let value = make(movie)
            request.end { resultHandler(.final(value, info)) }
        }
        return request.info.requestID
    }

    /// Makes a request whose work is not done by the pipeline, for example for a movie. If its token is already
    /// cancelled or the manager is closed, the returned request has already ended.
    ///
    /// - Parameter cancelled: called if the request is cancelled. It passes the result `.cancelled` to the result
    ///   handler.
    func beginMediaRequest(
        for asset: Asset, _ executor: DeliveryExecutor?, _ token: CancellationToken?,
        cancelled: @escaping @Sendable (ImageInfo) -> Void
    ) -> MediaRequest {
        let id = pipeline.apply { state, _ in state.nextRequestID() }
        let info = ImageInfo(requestID: id, asset: asset.identifier)
        let request = MediaRequest(
            info, executor: executor ?? configuration.executor, hostToken: token, cancelled: { cancelled(info) },
            whenOver: { [mediaRequests] in mediaRequests.remove(id) })
        mediaRequests.add(request)
        request.followHostToken()
        return request
    }
}
