import Foundation
import Thumbwheel

/// How the bytes of a resource are requested.
public final class PHAssetResourceRequestOptions: NSObject, NSCopying {
    /// Whether bytes may come over a network.
    public var isNetworkAccessAllowed = false
    /// Receives how much has been read, from 0 to 1.
    public var progressHandler: (@Sendable (Double) -> Void)?

    /// Makes options that allow no network.
    public override init() {}

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHAssetResourceRequestOptions()
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.progressHandler = progressHandler
        return copy
    }

    /// The options in this library's own spelling.
    var options: AssetResourceRequestOptions {
        AssetResourceRequestOptions { options in
            options.isNetworkAccessAllowed = isNetworkAccessAllowed
            if let progressHandler { options.progressHandler = { fraction, _ in progressHandler(fraction) } }
        }
    }
}
