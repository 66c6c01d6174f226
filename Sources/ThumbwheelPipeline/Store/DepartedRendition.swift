/// A rendition that has been removed from the memory cache.
struct DepartedRendition: Sendable {
    let key: RenditionKey
    let image: SharedImage
    let byteCount: Int
    /// Whether any request has ever asked for the rendition. If not, its render counts as wasted in the statistics.
    let wasUsed: Bool
    let tier: MemoryTier
    /// Whether the rendition was removed to make room, and counts as evicted in the statistics.
    var isEvicted = false
}
