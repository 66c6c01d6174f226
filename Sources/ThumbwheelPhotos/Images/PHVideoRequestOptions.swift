import Foundation

/// How a video is requested. The options are taken and have no effect while videos cannot be played.
public final class PHVideoRequestOptions: NSObject, NSCopying {
    /// The version of the video.
    public var version = PHVideoRequestOptionsVersion.current
    /// How soon and how well the video is delivered.
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
}
