import Foundation
import Thumbwheel

/// How a Live Photo is requested. A request takes the values that the options have at that moment.
public final class PHLivePhotoRequestOptions: NSObject, NSCopying {
    /// The version of the Live Photo.
    public var version = PHImageRequestOptionsVersion.current
    /// How soon, how often and how well the Live Photo is delivered.
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    /// Whether bytes may come over a network.
    public var isNetworkAccessAllowed = false
    /// Receives how much of the bytes has arrived.
    public var progressHandler: PHAssetImageProgressHandler?

    /// Makes options with PhotoKit's defaults.
    public override init() {}

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHLivePhotoRequestOptions()
        copy.version = version
        copy.deliveryMode = deliveryMode
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.progressHandler = progressHandler
        return copy
    }

    /// The options of a request for the still in PhotoKit's spelling.
    var imageOptions: PHImageRequestOptions {
        let options = PHImageRequestOptions()
        options.version = version
        options.deliveryMode = deliveryMode
        options.resizeMode = .fast
        options.isNetworkAccessAllowed = isNetworkAccessAllowed
        options.progressHandler = progressHandler
        return options
    }
}
