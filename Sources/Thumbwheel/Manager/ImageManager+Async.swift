import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// Returns the final image of `asset`, without degraded images before it. Cancelling the task cancels the request.
    ///
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func image(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) async throws(ImageRequestError) -> Bitmap {
        var options = options
        if options.deliveryMode == .opportunistic { options.deliveryMode = .highQuality }
        let order = ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
        if let answer = cachedAnswer(to: order) { return answer.shared.bitmap! }
        let result: ImageResult = await withTaskToken { token, resume in
            // The handler runs inline on the worker's thread, so that the caller resumes after one change of threads instead of
            // two.
            _ = submit(
                order, to: ResultReceiver(executor: .inline, progressHandler: options.progressHandler, handler: resume),
                isImmediate: true,
                tokens: [token, options.cancellationToken])
        }
        switch result {
        case .final(let bitmap, _), .degraded(let bitmap, _): return bitmap
        case .failed(let error, _): throw error
        case .cancelled: throw .cancelled
        }
    }

    /// Returns the degraded images of `asset`, if any, followed by the final one. Leaving the loop early cancels the request.
    ///
    /// The sequence throws `ImageRequestError`.
    public func images(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) -> AsyncThrowingStream<DeliveredImage, any Error> {
        let order = ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
        return AsyncThrowingStream { continuation in
            let streamToken = CancellationToken()
            let receiver = ResultReceiver(executor: .inline, progressHandler: options.progressHandler) { result in
                switch result {
                case .degraded(let bitmap, let info):
                    continuation.yield(DeliveredImage(bitmap: bitmap, info: info))
                case .final(let bitmap, let info):
                    continuation.yield(DeliveredImage(bitmap: bitmap, info: info))
                    continuation.finish()
                case .failed(let error, _): continuation.finish(throwing: error)
                case .cancelled: continuation.finish(throwing: ImageRequestError.cancelled)
                }
            }
            continuation.onTermination = { _ in streamToken.cancel() }
            _ = submit(
                order, to: receiver, isImmediate: true,
                tokens: [streamToken, options.cancellationToken])
        }
    }
}

/// Calls `body` and waits until it calls its second argument, exactly once. Cancelling the task cancels the token that `body`
/// gets.
func withTaskToken<Result: Sendable>(
    _ body: (CancellationToken, @escaping @Sendable (Result) -> Void) -> Void
) async -> Result {
    let token = CancellationToken()
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in body(token) { continuation.resume(returning: $0) } }
    } onCancel: {
        token.cancel()
    }
}
