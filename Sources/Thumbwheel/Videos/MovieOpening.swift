import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline

/// Opens the movie of a request on a thread that is allowed to block. If the bytes come over a network, reports the
/// progress to the request's progress handler.
struct MovieOpening: Sendable {
    let resource: AssetResource
    let isNetworkAccessAllowed: Bool
    let progressHandler: ProgressHandler?

    /// Whether the bytes come over a network, so that progress is reported.
    var isRemote: Bool { !resource.isLocallyAvailable }

    /// Opens the movie on another thread, and then calls one of the two closures. Calls neither if the request ends
    /// before the thread starts to read.
    ///
    /// - Parameters:
    ///   - fail: ends the request with an error. It also gets the `ImageInfo` to deliver with the error. If the movie
    ///     needs the network but may not use it, `fail` is called before this method returns.
    ///   - body: gets the movie, and the `ImageInfo` to deliver with it.
    func start(
        for request: MediaRequest, fail: @escaping @Sendable (ImageRequestError, ImageInfo) -> Void,
        _ body: @escaping @Sendable (Movie, ImageInfo) -> Void
    ) {
        guard isNetworkAccessAllowed || !isRemote else {
            var info = request.info
            info.isInCloud = true
            return fail(.networkAccessRequired, info)
        }
        BlockingThreads.reads.run {
            guard !request.isOver else { return }
            let start = MonotonicTime.now
            do throws(ImageRequestError) {
                tell(0, to: request)
                let movie = try Movie(resource, checking: request.token)
                tell(1, to: request)
                body(movie, info(of: request, since: start))
            } catch {
                if case .network = error { tell(0, error, to: request) }
                fail(error, info(of: request, since: start))
            }
        }
    }

    private func info(of request: MediaRequest, since start: MonotonicTime) -> ImageInfo {
        var info = request.info
        info.isFromNetwork = isRemote
        if isRemote { info.networkMilliseconds = MonotonicTime.now.milliseconds(since: start) }
        return info
    }

    private func tell(_ fraction: Double, _ error: ImageRequestError? = nil, to request: MediaRequest) {
        guard isRemote, let progressHandler else { return }
        let progress = ImageProgress(requestID: request.info.requestID, fraction: fraction, error: error)
        request.pass {
            var isToStop = false
            progressHandler(progress, &isToStop)
            if isToStop { request.cancel() }
        }
    }
}
