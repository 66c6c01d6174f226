import Foundation
import Thumbwheel

/// How a video is requested. A request takes the values that the options have at that moment.
public final class PHVideoRequestOptions: NSObject, NSCopying {
    /// The version of the video.
    public var version = PHVideoRequestOptionsVersion.current
    /// How soon and how well the video is delivered. It has no effect: the bytes of the version are delivered as they
    /// are.
    public var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
    /// Whether bytes may come over a network.
    public var isNetworkAccessAllowed = false
    /// Receives how much of the file has arrived.
    public var progressHandler: PHAssetImageProgressHandler?

    /// Makes options with PhotoKit's defaults.
    public override init() {}

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHVideoRequestOptions()
        copy.version = version
        copy.deliveryMode = deliveryMode
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.progressHandler = progressHandler
        return copy
    }

    /// The options in this library's own spelling.
    ///
    /// - Parameter id: the name of the request, which its progress handler is told.
    func options(of id: PHImageRequestID, _ token: CancellationToken) -> VideoRequestOptions {
        VideoRequestOptions { options in
            options.cancellationToken = token
            options.version = version == .current ? .current : .original
            options.isNetworkAccessAllowed = isNetworkAccessAllowed
            options.progressHandler = progressHandler.map { PHImageRequestOptions.progressHandler($0, of: id) }
        }
    }
}
