import Foundation
import Thumbwheel

/// Receives how much of a file has arrived, from 0 to 1, or the error that ended its way; sets `stop` to end the request.
public typealias PHAssetImageProgressHandler =
    @Sendable (
        _ progress: Double, _ error: (any Error)?, _ stop: UnsafeMutablePointer<ObjCBool>, _ info: [AnyHashable: Any]?
    )
    -> Void

/// How an image is requested. A request takes the values that the options have at that moment.
public final class PHImageRequestOptions: NSObject, NSCopying {
    /// The version of the picture.
    public var version = PHImageRequestOptionsVersion.current
    /// How soon, how often and how well the image is delivered. A synchronous request is always of high quality.
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    /// How exactly the image has the size that was asked for.
    public var resizeMode = PHImageRequestOptionsResizeMode.none
    /// The part of the upright picture to show, from 0 to 1; the zero rectangle for all. Used with `.exact` only.
    public var normalizedCropRect = CGRect.zero
    /// Whether bytes may come over a network.
    public var isNetworkAccessAllowed = false
    /// Whether the call waits for the image and hands it over before it returns.
    public var isSynchronous = false
    /// Whether a better degraded image may follow the first.
    public var allowSecondaryDegradedImage = false
    /// Whether the image holds all light and colours of the picture: its bitmap is then in linear light, in the format
    /// `linearRGBA`, whether the picture has a high dynamic range or not.
    public var preferHDR = false
    /// Receives how much of a file has arrived.
    public var progressHandler: PHAssetImageProgressHandler?

    /// Makes options with PhotoKit's defaults.
    public override init() {}

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHImageRequestOptions()
        copy.version = version
        copy.deliveryMode = deliveryMode
        copy.resizeMode = resizeMode
        copy.normalizedCropRect = normalizedCropRect
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.isSynchronous = isSynchronous
        copy.allowSecondaryDegradedImage = allowSecondaryDegradedImage
        copy.preferHDR = preferHDR
        copy.progressHandler = progressHandler
        return copy
    }

    /// The options in this library's own spelling.
    ///
    /// - Parameter id: the name of the request, which its progress handler is told.
    func options(of id: PHImageRequestID, _ token: CancellationToken? = nil) -> ImageRequestOptions {
        ImageRequestOptions { options in
            options.cancellationToken = token
            options.version = version.version
            options.deliveryMode = deliveryMode.mode
            options.resizeMode = resizeMode.mode
            options.isNetworkAccessAllowed = isNetworkAccessAllowed
            options.allowSecondaryDegradedImage = allowSecondaryDegradedImage
            options.pixelRange = preferHDR ? .extended : .standard
            if normalizedCropRect != .zero {
                let crop = normalizedCropRect
                options.normalizedCropRect = NormalizedRect(
                    x: crop.origin.x, y: crop.origin.y, width: crop.width, height: crop.height)
            }
            options.progressHandler = progressHandler.map { Self.progressHandler($0, of: id) }
        }
    }

    /// Returns a progress handler in this library's own spelling.
    static func progressHandler(
        _ handler: @escaping PHAssetImageProgressHandler, of id: PHImageRequestID
    ) -> ProgressHandler {
        { progress, stop in
            var ends = ObjCBool(false)
            let info = PHImageResultInfo(requestID: id, isInCloud: true, error: progress.error)
            let error = progress.error.map { PHPhotosError($0) }
            handler(progress.fraction, error, &ends, info.dictionary)
            if ends.boolValue { stop = true }
        }
    }
}
