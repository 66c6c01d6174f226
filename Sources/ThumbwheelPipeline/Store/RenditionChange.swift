/// A rendition that is ready in the cache from now on, or that is no longer.
package struct RenditionChange: Sendable {
    package let key: RenditionKey
    /// The image; nil if the cache has none any more.
    package let shared: SharedImage?
}
