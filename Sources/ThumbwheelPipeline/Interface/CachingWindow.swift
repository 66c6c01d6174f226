/// The images that a caching manager has asked to have ready, at one moment; see <doc:Semantics#Caching-windows>.
public struct CachingWindow: Hashable, Sendable {
    /// Images asked for: one for each asset, size and set of options.
    public let imageCount: Int
    /// Images of the window that lie in the cache.
    public let readyCount: Int
    /// Bytes of those; what two windows hold counts in both.
    public let readyByteCount: Int
    /// The value of `CachingImageManager.allowsCachingHighQualityImages` for this window.
    public let allowsHighQuality: Bool

    /// Images of the window that wait, are being made, could not be made, or were given up for want of memory.
    public var pendingCount: Int { imageCount - readyCount }

    package init(imageCount: Int, readyCount: Int, readyByteCount: Int, allowsHighQuality: Bool) {
        self.imageCount = imageCount
        self.readyCount = readyCount
        self.readyByteCount = readyByteCount
        self.allowsHighQuality = allowsHighQuality
    }
}
