import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelRendering

/// Puts the still and the movie of a Live Photo together, in whatever order they come.
final class LivePhotoAssembly: Sendable {
    private struct State {
        var movie: (movie: Movie, info: ImageInfo)?
        /// The final still; nil until it has come.
        var still: (bitmap: Bitmap, info: ImageInfo)?
    }

    private let request: MediaRequest
    private let passesDegraded: Bool
    private let handler: @Sendable (LivePhotoResult) -> Void
    private let state = Mutex(State())

    /// - Parameter passesDegraded: whether stills are passed on before the Live Photo is complete.
    init(
        _ request: MediaRequest, passesDegraded: Bool, handler: @escaping @Sendable (LivePhotoResult) -> Void
    ) {
        self.request = request
        self.passesDegraded = passesDegraded
        self.handler = handler
    }

    /// Takes the movie, and the `ImageInfo` that tells whether its bytes came over a network and how long that took.
    func take(_ movie: Movie, _ info: ImageInfo) {
        let still = state.withLock { state in
            state.movie = (movie, info)
            return state.still
        }
        if let still { finish(still.bitmap, still.info, movie, info) }
    }

    /// Takes a result of the request for the still.
    func take(_ result: ImageResult) {
        switch result {
        case .degraded(let bitmap, let info): pass(bitmap, info, state.withLock { $0.movie?.movie })
        case .final(let bitmap, let info):
            let movie = state.withLock { state in
                state.still = (bitmap, info)
                return state.movie
            }
            if let movie { finish(bitmap, info, movie.movie, movie.info) } else { pass(bitmap, info, nil) }
        case .failed(let error, let info): fail(error, info)
        case .cancelled: request.cancel()
        }
    }

    /// Ends the request with an error.
    func fail(_ error: ImageRequestError, _ info: ImageInfo) {
        let info = own(info)
        request.end { [handler] in handler(.failed(error, info)) }
    }

    private func pass(_ bitmap: Bitmap, _ info: ImageInfo, _ movie: Movie?) {
        guard passesDegraded else { return }
        var info = own(info)
        info.isDegraded = true
        request.pass { [handler, info] in handler(.degraded(LivePhoto(still: bitmap, movie: movie), info)) }
    }

    private func finish(_ bitmap: Bitmap, _ info: ImageInfo, _ movie: Movie, _ movieInfo: ImageInfo) {
        var info = own(info)
        info.isFromNetwork = info.isFromNetwork || movieInfo.isFromNetwork
        info.networkMilliseconds = max(info.networkMilliseconds, movieInfo.networkMilliseconds)
        request.end { [handler, info] in handler(.final(LivePhoto(still: bitmap, movie: movie), info)) }
    }

    /// Returns the same facts with the identifier of this request. The still and the movie are requested separately,
    /// and the facts about the still have the identifier of the still's request.
    private func own(_ info: ImageInfo) -> ImageInfo {
        var info = info
        info.requestID = request.info.requestID
        return info
    }
}
