/// The cached renditions that nobody has asked for yet, and that no tier below memory has. A rendition goes there when it is
/// first used: what the view only flew past is not worth the room.
struct UnseenRenditions: Sendable {
    private var works: [RenditionKey: RenderWork] = [:]

    var isEmpty: Bool { works.isEmpty }

    /// - Returns: the work that was noted for the rendition before.
    mutating func add(_ key: RenditionKey, _ work: RenderWork) -> RenderWork? { works.updateValue(work, forKey: key) }

    /// Removes a rendition that is used or has left memory.
    ///
    /// - Returns: the work that made it; nil if it has been used before.
    mutating func remove(_ key: RenditionKey) -> RenderWork? {
        works.isEmpty ? nil : works.removeValue(forKey: key)
    }
}
