import Foundation
import Thumbwheel

/// A decoded picture, which `UIImage` is on Apple's systems.
public final class PHImage: NSObject, Sendable {
    /// The pixels, upright and in sRGB.
    public let bitmap: Bitmap

    /// Wraps pixels.
    public init(_ bitmap: Bitmap) {
        self.bitmap = bitmap
    }

    /// The width and the height in pixels.
    public var size: CGSize { CGSize(width: bitmap.size.width, height: bitmap.size.height) }
}
