import Foundation
import Thumbwheel

/// A Live Photo: its still, and its movie.
public final class PHLivePhoto: NSObject, Sendable {
    /// The Live Photo in this library's own spelling.
    public let livePhoto: LivePhoto

    init(_ livePhoto: LivePhoto) {
        self.livePhoto = livePhoto
    }

    /// The size of the still in pixels.
    public var size: CGSize {
        CGSize(width: livePhoto.still.size.width, height: livePhoto.still.size.height)
    }
}
