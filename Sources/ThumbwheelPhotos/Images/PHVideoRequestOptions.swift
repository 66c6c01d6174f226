import Foundation

/// How a video is requested. The options are taken and have no effect while videos cannot be played.
public final class PHVideoRequestOptions: NSObject {
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
}
