import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// The final image of `asset`; degraded ones are not made. Cancelling the task cancels the request.
    public func image(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) async throws(ImageRequestError) -> Bitmap {
        var options = options
        if options.deliveryMode == .opportunistic { options.deliveryMode = .highQuality }
        let order = ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
        let taskToken = CancellationToken()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The caller is resumed from the worker's own thread: one hop, not two.
                let receiver = ResultReceiver(executor: .inline) { continuation.resume(returning: $0) }
                _ = submit(
                    order, to: receiver, isImmediate: true,
                    tokens: [taskToken] + [options.cancellationToken].compactMap(\.self))
            }
        } onCancel: {
            taskToken.cancel()
        }
        switch result {
        case .final(let bitmap, _), .degraded(let bitmap, _): return bitmap
        case .failed(let error, _): throw error
        case .cancelled: throw .cancelled
        }
    }

    /// The degraded images of `asset`, if any, and then the final one. Leaving the loop early cancels the request.
    ///
    /// The sequence throws `ImageRequestError`.
    public func images(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .fit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) -> AsyncThrowingStream<DeliveredImage, any Error> {
        let order = ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
        return AsyncThrowingStream { continuation in
            let streamToken = CancellationToken()
            let receiver = ResultReceiver(executor: .inline) { result in
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
                tokens: [streamToken] + [options.cancellationToken].compactMap(\.self))
        }
    }
}

/// An element of `ImageManager.images(for:targetSize:contentMode:options:)`.
public struct DeliveredImage: Sendable {
    public let bitmap: Bitmap
    /// `info.isDegraded` tells whether a better one follows.
    public let info: ImageInfo
}
