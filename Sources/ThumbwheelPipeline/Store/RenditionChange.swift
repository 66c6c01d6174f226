/// The news that a rendition has become ready in the cache, or has left the cache.
package struct RenditionChange: Sendable {
    package let key: RenditionKey
    /// The image; nil if the rendition has left the cache.
    package let shared: SharedImage?
}
