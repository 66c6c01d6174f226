/// A rendition that has left the store.
struct DepartedRendition: Sendable {
    let key: RenditionKey
    let image: SharedImage
    let byteCount: Int
    /// Whether anybody has ever asked for it.
    let wasUsed: Bool
    let tier: MemoryTier
    /// Whether it was given up to make room.
    var isEvicted = false
}
