import Foundation
import Thumbwheel

extension PHImageManager {
    /// Requests a Live Photo.
    ///
    /// - Parameters:
    ///   - asset: the asset, which must have a movie.
    ///   - targetSize: the size of the still in pixels; `PHImageManagerMaximumSize` for the largest rendering.
    ///   - contentMode: whether the still lies within the target or covers it.
    ///   - options: how the Live Photo is delivered; nil stands for the defaults.
    ///   - resultHandler: receives degraded Live Photos and at last the final one, or nil with the reason, each with
    ///     facts under the keys `PHImageResult…`.
    /// - Returns: the name of the request, by which it can be cancelled.
    @discardableResult
    public func requestLivePhoto(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHLivePhotoRequestOptions?,
        resultHandler: @escaping @Sendable (PHLivePhoto?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let options = (options ?? PHLivePhotoRequestOptions()).imageOptions
        return perform { id, token, end in
            manager.requestLivePhoto(
                for: asset.asset, targetSize: PixelSize(targetSize), contentMode: contentMode.mode,
                options: options.options(of: id, token)
            ) { result in
                if result.isTerminal { end() }
                var info = PHImageResultInfo(requestID: id, isInCloud: result.info.isInCloud)
                switch result {
                case .degraded: info.isDegraded = true
                case .final: break
                case .failed(let error, _): info.error = error
                case .cancelled: info.isCancelled = true
                }
                resultHandler(result.livePhoto.map { PHLivePhoto($0) }, info.dictionary)
            }
        }
    }
}
