// The names are those of PhotoKit.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Thumbwheel
import ThumbwheelLocks

/// The name of a request within its manager.
public typealias PHImageRequestID = Int32
/// The name of no request.
public let PHInvalidImageRequestID: PHImageRequestID = 0
/// The target of a request for the largest rendering.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Delivers images of assets. Handlers run on the image manager's executor, those of synchronous requests on the
/// calling thread.
public class PHImageManager: NSObject, @unchecked Sendable {
    // Unchecked sendability: subclasses, all of this module, have constants only as well.
    private static let shared = PHImageManager(.default)

    /// The manager in this library's own spelling.
    public let manager: ImageManager
    private let requests = PHRequestNumbers()

    /// Wraps a manager of the host's own.
    public init(_ manager: ImageManager) {
        self.manager = manager
    }

    /// The manager that the whole process shares.
    public static func `default`() -> PHImageManager { shared }

    /// Requests an image of an asset.
    ///
    /// - Parameters:
    ///   - asset: the asset to show.
    ///   - targetSize: the size in pixels; `PHImageManagerMaximumSize` for the largest rendering.
    ///   - contentMode: whether the image lies within the target or covers it.
    ///   - options: how the image is delivered; nil stands for the defaults.
    ///   - resultHandler: receives degraded images and at last one final image, or nil with the reason, each with
    ///     facts under the keys `PHImageResult…`.
    /// - Returns: the name of the request, by which it can be cancelled; `PHInvalidImageRequestID` for a synchronous
    ///   request, which has ended.
    @discardableResult
    public func requestImage(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (PHImage?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let options = options ?? PHImageRequestOptions()
        if options.isSynchronous {
            let id = requests.next()
            let result = manager.requestImageSynchronously(
                for: asset.asset, targetSize: PixelSize(targetSize), contentMode: contentMode.mode,
                options: options.options(of: id))
            Self.deliver(result, of: id, to: resultHandler)
            return PHInvalidImageRequestID
        }
        let (id, token) = requests.begin()
        manager.requestImage(
            for: asset.asset, targetSize: PixelSize(targetSize), contentMode: contentMode.mode,
            options: options.options(of: id, token)
        ) { [requests] result in
            if result.isTerminal { requests.end(id) }
            Self.deliver(result, of: id, to: resultHandler)
        }
        return id
    }

    private static func deliver(
        _ result: ImageResult, of id: PHImageRequestID, to handler: (PHImage?, [AnyHashable: Any]?) -> Void
    ) {
        var info = PHImageResultInfo(requestID: id, isInCloud: result.info.isInCloud)
        switch result {
        case .degraded: info.isDegraded = true
        case .final: break
        case .failed(let error, _): info.error = error
        case .cancelled: info.isCancelled = true
        }
        handler(result.bitmap.map { PHImage($0) }, info.dictionary)
    }

    /// Requests the unchanged file of an asset's version, its type and the orientation of its pixels.
    ///
    /// - Returns: the name of the request, by which it can be cancelled; `PHInvalidImageRequestID` for a synchronous
    ///   request, which has ended.
    @discardableResult
    public func requestImageDataAndOrientation(
        for asset: PHAsset, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (Data?, String?, ImageOrientation, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let options = options ?? PHImageRequestOptions()
        if options.isSynchronous {
            let id = requests.next()
            let result = manager.requestImageDataSynchronously(for: asset.asset, options: options.options(of: id))
            Self.deliver(result, of: id, to: resultHandler)
            return PHInvalidImageRequestID
        }
        let (id, token) = requests.begin()
        manager.requestImageDataAndOrientation(for: asset.asset, options: options.options(of: id, token)) {
            [requests] result in
            requests.end(id)
            Self.deliver(result, of: id, to: resultHandler)
        }
        return id
    }

    private static func deliver(
        _ result: ImageDataResult, of id: PHImageRequestID,
        to handler: (Data?, String?, ImageOrientation, [AnyHashable: Any]?) -> Void
    ) {
        var info = PHImageResultInfo(requestID: id)
        switch result {
        case .final(let data, let facts):
            info.isInCloud = facts.isInCloud
            handler(Data(data.bytes), data.contentType.rawValue, data.orientation, info.dictionary)
        case .failed(let error, let facts):
            info.isInCloud = facts.isInCloud
            info.error = error
            handler(nil, nil, .up, info.dictionary)
        case .cancelled:
            info.isCancelled = true
            handler(nil, nil, .up, info.dictionary)
        }
    }

    func nextRequestID() -> PHImageRequestID { requests.next() }

    /// Makes a request that can be cancelled by its name.
    ///
    /// - Parameter submit: submits the request with its name and the token that cancels it. The closure that it gets is
    ///   to be called when the request has ended.
    func perform(
        _ submit: (PHImageRequestID, CancellationToken, @escaping @Sendable () -> Void) -> ImageRequestID
    ) -> PHImageRequestID {
        let (id, token) = requests.begin()
        _ = submit(id, token) { [requests] in requests.end(id) }
        return id
    }

    /// Cancels a request, whose handler is then told so; does nothing if the request has ended.
    public func cancelImageRequest(_ id: PHImageRequestID) { requests.cancel(id) }
}

extension PixelSize {
    /// The size nearest to a size in pixels; `.maximum` for `PHImageManagerMaximumSize`.
    init(_ size: CGSize) {
        guard size != PHImageManagerMaximumSize else {
            self = .maximum
            return
        }
        // Sizes that are no numbers, or below 0, become empty, and requests of empty sizes fail.
        func side(_ length: CGFloat) -> Int { length > 0 ? Int(min(length.rounded(), 1e9)) : 0 }
        self.init(width: side(size.width), height: side(size.height))
    }
}
