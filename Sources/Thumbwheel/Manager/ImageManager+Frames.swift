import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelRendering

extension ImageManager {
    /// Requests several frames of a video, as for a cell that shows them while the pointer moves over it. All frames
    /// that are not cached are decoded in one pass over the file, and each is cached like an image of its own.
    ///
    /// Each frame is a request that ends with exactly one terminal result. There are no degraded images. A frame that
    /// cannot be decoded, for example because the end of the file is missing, fails alone.
    ///
    /// - Parameters:
    ///   - asset: The video. For an asset that cannot be shown, each request fails as in `requestImage`.
    ///   - times: The times in seconds from the beginning of the video. For each, the frame at the time is shown, or a
    ///     key frame near it; see ``ImageRequestOptions/frameTime``.
    ///   - targetSize: The size in pixels; `.maximum` for the largest rendering.
    ///   - contentMode: Whether the images lie inside the target or cover it.
    ///   - options: The options of all requests; `frameTime` is replaced by the times.
    ///   - resultHandler: Receives the index of a time in `times`, and the result for that time.
    /// - Returns: The identifiers that cancel the requests, in the order of `times`.
    @discardableResult
    public func requestFrames(
        of asset: Asset, at times: [Double], targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions(),
        resultHandler: @escaping @Sendable (_ index: Int, _ result: ImageResult) -> Void
    ) -> [ImageRequestID] {
        submit(
            orders(of: asset, at: times, targetSize, contentMode, options),
            executor: options.executor ?? configuration.executor, tokens: [options.cancellationToken], resultHandler)
    }

    /// Returns several frames of a video, in the order of the times. All frames that are not cached are decoded in one
    /// pass over the file, and each is cached like an image of its own. Cancelling the task cancels the requests.
    ///
    /// - Parameters:
    ///   - asset: The video.
    ///   - times: The times in seconds from the beginning of the video. For each, the frame at the time is shown, or a
    ///     key frame near it; see ``ImageRequestOptions/frameTime``.
    ///   - targetSize: The size in pixels; `.maximum` for the largest rendering.
    ///   - contentMode: Whether the images lie inside the target or cover it.
    ///   - options: The options of all requests; `frameTime` is replaced by the times.
    /// - Throws: The first error of a frame; `.cancelled` if the task or a request was cancelled.
    public func frames(
        of asset: Asset, at times: [Double], targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) async throws(ImageRequestError) -> [Bitmap] {
        guard !times.isEmpty else { return [] }
        let results: [ImageResult] = await withTaskToken { token, resume in
            let strip = FrameStrip(count: times.count, whenComplete: resume)
            _ = submit(
                orders(of: asset, at: times, targetSize, contentMode, options), executor: .inline,
                tokens: [token, options.cancellationToken]
            ) { strip.put($1, at: $0) }
        }
        return try results.map { result throws(ImageRequestError) in
            switch result {
            case .final(let bitmap, _), .degraded(let bitmap, _): return bitmap
            case .failed(let error, _): throw error
            case .cancelled: throw .cancelled
            }
        }
    }

    private func orders(
        of asset: Asset, at times: [Double], _ targetSize: PixelSize, _ contentMode: ContentMode,
        _ options: ImageRequestOptions
    ) -> [ImageOrder] {
        times.map { time in
            var options = options
            options.frameTime = time
            var order = ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
            order.wantsDegraded = false
            return order
        }
    }

    /// Submits several requests for images of one asset in one step, so that one decode can make all of these images.
    /// If the requests were submitted one by one, the first would start a decode for its image alone.
    private func submit(
        _ orders: [ImageOrder], executor: DeliveryExecutor, tokens: [CancellationToken?],
        _ resultHandler: @escaping @Sendable (Int, ImageResult) -> Void
    ) -> [ImageRequestID] {
        let tokens = tokens.compactMap(\.self)
        let receivers = orders.indices.map { index in
            ResultReceiver(
                executor: executor, isTracked: !tokens.isEmpty, progressHandler: orders[index].options.progressHandler
            ) { resultHandler(index, $0) }
        }
        let requests = zip(orders, receivers).map { order, receiver in
            Result { () throws(ImageRequestError) in try pipelineRequest(for: order, to: receiver) }
        }
        let isCancelled = tokens.contains { $0.isCancelled }
        let submitted = pipeline.apply(isImmediate: false) { state, now in
            state.submit(requests.compactMap { try? $0.get() }, isCancelled: isCancelled, at: now)
        }
        var next = submitted.makeIterator()
        return orders.indices.map { index in
            switch requests[index] {
            case .failure(let error): return refuse(orders[index], to: receivers[index], because: error)
            case .success:
                guard let id = next.next() else { preconditionFailure("a request without an identifier") }
                if !isCancelled { for token in tokens { linkRequest(id, of: receivers[index], to: token) } }
                return id
            }
        }
    }
}

/// Collects the results of several requests, and passes them on together when the last one has come.
private final class FrameStrip: Sendable {
    private struct State {
        var results: [ImageResult?]
        var missingCount: Int
    }

    private let state: Mutex<State>
    private let whenComplete: @Sendable ([ImageResult]) -> Void

    init(count: Int, whenComplete: @escaping @Sendable ([ImageResult]) -> Void) {
        state = Mutex(State(results: Array(repeating: nil, count: count), missingCount: count))
        self.whenComplete = whenComplete
    }

    /// Stores the result of the request with the number `index`. Each request has exactly one result.
    func put(_ result: ImageResult, at index: Int) {
        let complete = state.withLock { state -> [ImageResult]? in
            state.results[index] = result
            state.missingCount -= 1
            return state.missingCount == 0 ? state.results.compactMap(\.self) : nil
        }
        if let complete { whenComplete(complete) }
    }
}
