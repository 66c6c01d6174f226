/// A summary of a caching window at one moment. The window is the list of images that a caching manager has asked to
/// have ready; see <doc:Semantics#Caching-windows>.
public struct CachingWindow: Hashable, Sendable {
    /// The number of images asked for: one for each asset, size and set of options.
    public let imageCount: Int
    /// The number of images of the window that are in the cache.
    public let readyCount: Int
    /// Bytes of the window's images that are in the cache. An image in two windows counts in both.
    public let readyByteCount: Int
    /// The value of `CachingImageManager.allowsCachingHighQualityImages` for this window.
    public let allowsHighQuality: Bool

    /// The number of images of the window that are not ready. They wait, are being made, could not be made, or were
    /// evicted because memory was short.
    public var pendingCount: Int { imageCount - readyCount }

    package init(imageCount: Int, readyCount: Int, readyByteCount: Int, allowsHighQuality: Bool) {
        self.imageCount = imageCount
        self.readyCount = readyCount
        self.readyByteCount = readyByteCount
        self.allowsHighQuality = allowsHighQuality
    }
}
