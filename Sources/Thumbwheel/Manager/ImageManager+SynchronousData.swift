import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// Requests a thumbnail as the bytes of an image file and waits for it. There is one result, of high quality.
    ///
    /// The request cannot be cancelled: the cancellation token in `options` is ignored. See
    /// <doc:Semantics#Synchronous-requests>.
    @available(*, noasync, message: "await imageData(for:targetSize:contentMode:encoding:options:) instead")
    public func requestImageDataSynchronously(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        encoding: ImageEncoding = .jpeg(quality: 85), options: ImageRequestOptions = ImageRequestOptions()
    ) -> ImageDataResult {
        let answer = BlockingAnswer<ImageDataResult>()
        requestImageData(
            for: asset, targetSize: targetSize, contentMode: contentMode, encoding: encoding,
            options: options.synchronous
        ) { answer.set($0) }
        return answer.wait()
    }

    /// Requests the unchanged file of a version of an asset and waits for it.
    ///
    /// The request cannot be cancelled: the cancellation token in `options` is ignored. See
    /// <doc:Semantics#Synchronous-requests>.
    @available(*, noasync, message: "await imageData(for:options:) instead")
    public func requestImageDataSynchronously(
        for asset: Asset, options: ImageRequestOptions = ImageRequestOptions()
    ) -> ImageDataResult {
        let answer = BlockingAnswer<ImageDataResult>()
        requestImageDataAndOrientation(for: asset, options: options.synchronous) { answer.set($0) }
        return answer.wait()
    }
}

extension ImageRequestOptions {
    /// These options, changed for a request that a thread waits for. The image has high quality, no token cancels the
    /// request, and the handler runs on the thread that makes the result.
    var synchronous: ImageRequestOptions {
        var options = self
        options.deliveryMode = .highQuality
        options.executor = .inline
        options.cancellationToken = nil
        return options
    }
}
