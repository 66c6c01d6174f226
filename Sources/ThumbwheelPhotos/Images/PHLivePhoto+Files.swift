// The names are those of PhotoKit.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Thumbwheel
import ThumbwheelCore

/// The name of a request for a Live Photo that is made of files.
public typealias PHLivePhotoRequestID = Int32
/// The name of no request.
public let PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID = 0
/// Why there is no Live Photo: an `NSError`.
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"
/// Whether a better Live Photo follows: an `NSNumber`.
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"
/// Whether the request was cancelled: an `NSNumber`.
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"

extension PHLivePhoto {
    private static let requests = PHRequestNumbers()

    /// Requests a Live Photo that is made of a photograph's file and a video's file.
    ///
    /// - Parameters:
    ///   - fileURLs: the two files, in any order.
    ///   - image: a still to show until the files have been read. It is delivered as a degraded Live Photo before this
    ///     method returns; nil delivers none.
    ///   - targetSize: the size of the still in pixels; `CGSize.zero` for the size of the photograph.
    ///   - contentMode: whether the still lies within the target or covers it.
    ///   - resultHandler: receives degraded Live Photos and at last the final one, or nil with the reason, each with
    ///     facts under the keys `PHLivePhotoInfo…`. After the first call it runs on the executor of
    ///     `PHImageManager.default()`, or on another thread if the files are no Live Photo.
    /// - Returns: the name of the request, by which it can be cancelled.
    @discardableResult
    public static func request(
        withResourceFileURLs fileURLs: [URL], placeholderImage image: PHImage?, targetSize: CGSize,
        contentMode: PHImageContentMode, resultHandler: @escaping @Sendable (PHLivePhoto?, [AnyHashable: Any]) -> Void
    ) -> PHLivePhotoRequestID {
        let (id, token) = requests.begin()
        if let image {
            resultHandler(PHLivePhoto(LivePhoto(still: image.bitmap, movie: nil)), Self.info(isDegraded: true))
        }
        // The heads of the files are read on another thread: a disk may be slow.
        BlockingThreads.reads.run {
            guard let asset = Self.asset(of: fileURLs) else {
                requests.end(id)
                let reason =
                    token.isCancelled
                    ? Self.info(isCancelled: true) : Self.info(error: PHPhotosError(.invalidResource).object)
                return resultHandler(nil, reason)
            }
            let options = PHLivePhotoRequestOptions().imageOptions
            if targetSize == .zero { options.resizeMode = .none }
            PHImageManager.default().manager.requestLivePhoto(
                for: asset, targetSize: targetSize == .zero ? .maximum : PixelSize(targetSize),
                contentMode: contentMode.mode, options: options.options(of: id, token)
            ) { result in
                if result.isTerminal { requests.end(id) }
                resultHandler(result.livePhoto.map { PHLivePhoto($0) }, Self.info(of: result))
            }
        }
        return id
    }

    /// Cancels a request, whose handler is then told so; does nothing if the request has ended.
    public static func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) { requests.cancel(requestID) }

    /// Returns an asset in no library with the photograph and the video; nil if the files are not one of each.
    private static func asset(of fileURLs: [URL]) -> Asset? {
        func assets(_ type: PHAssetResourceType) -> [Asset] {
            fileURLs.compactMap { url in
                try? Asset(
                    reading: AssetResource(type: type, source: .file(path: url.path)), identifier: .random(),
                    originalFilename: url.lastPathComponent)
            }
        }
        let (photographs, videos) = (assets(.photo), assets(.video))
        guard fileURLs.count == 2, photographs.count == 1, videos.count == 1 else { return nil }
        return try? Asset(
            reading: photographs[0].resource, identifier: photographs[0].identifier,
            originalFilename: photographs[0].originalFilename, mediaSubtypes: .photoLive,
            otherResources: [AssetResource(type: .pairedVideo, source: videos[0].resource.source)])
    }

    private static func info(of result: LivePhotoResult) -> [AnyHashable: Any] {
        switch result {
        case .degraded: Self.info(isDegraded: true)
        case .final: Self.info()
        case .failed(let error, _): Self.info(error: PHPhotosError(error).object)
        case .cancelled: Self.info(isCancelled: true)
        }
    }

    private static func info(
        isDegraded: Bool = false, isCancelled: Bool = false, error: NSError? = nil
    ) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [PHLivePhotoInfoIsDegradedKey: NSNumber(value: isDegraded)]
        if isCancelled { info[PHLivePhotoInfoCancelledKey] = NSNumber(value: true) }
        info[PHLivePhotoInfoErrorKey] = error
        return info
    }
}
