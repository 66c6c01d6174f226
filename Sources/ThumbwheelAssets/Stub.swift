import ThumbwheelCore
import ThumbwheelFormats
public struct AssetIdentifier: Hashable, Sendable { public var a: UInt64; public var b: UInt64; public init(a: UInt64, b: UInt64) { self.a = a; self.b = b } }
public enum MediaType: Sendable { case image, video }
public struct Asset: Sendable {
    public var identifier: AssetIdentifier
    public var contentVersion: UInt32
    public var mediaType: MediaType
    public var pixelSize: PixelSize
}
