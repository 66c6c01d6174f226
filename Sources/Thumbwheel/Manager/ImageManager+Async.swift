import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// Returns the final image of `asset`, without degraded images before it. Cancelling the task cancels the request.
    ///
    /// If the file is damaged, opportunistic and fast delivery return the part of the image that could be decoded; see
    /// <doc:Semantics#Damaged-files>.
    ///
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func image(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) async throws(ImageRequestError) -> Bitmap {
        var order = ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
        order.wantsDegraded = false
        if let answer = cachedAnswer(to: order) { return answer.shared.bitmap! }
        let result: ImageResult = await withTaskToken { token, resume in
            // The handler runs inline, on the thread that made the result. So the caller resumes after one change of
            // threads instead of two.
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

    /// Returns an asynchronous sequence of the degraded images of `asset`, if any, followed by the final one. Leaving a
    /// loop over the sequence early cancels the request.
    ///
    /// The sequence throws `ImageRequestError`.
    public func images(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
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

/// Waits for a result that a callback delivers. `body` gets a cancellation token and a completion function, and must
/// arrange that the completion function is called exactly once. The value that is passed to the completion function is
/// returned. If the task is cancelled, so is the token.
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
