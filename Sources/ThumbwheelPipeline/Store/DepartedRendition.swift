/// A rendition that has been removed from the memory cache.
struct DepartedRendition: Sendable {
    let key: RenditionKey
    let image: SharedImage
    let byteCount: Int
    /// Whether any request has ever asked for the rendition.
    let wasUsed: Bool
    let tier: MemoryTier
    /// Whether the rendition was removed to make room.
    var isEvicted = false
}
