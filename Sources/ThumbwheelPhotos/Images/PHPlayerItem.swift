import Foundation
import Thumbwheel

/// A video that is ready to be played, in the place of AVFoundation's `AVPlayerItem`, which Linux lacks.
public final class PHPlayerItem: NSObject, Sendable {
    /// The item in this library's own spelling.
    public let item: PlayerItem
    /// The video.
    public let asset: PHAVAsset

    init(_ item: PlayerItem) {
        self.item = item
        asset = PHAVAsset(item.movie)
    }

    /// The duration in seconds.
    public var duration: Double { item.movie.duration }
}
