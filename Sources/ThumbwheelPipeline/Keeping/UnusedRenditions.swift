import ThumbwheelCore

/// The cached renditions that no request has used yet and that the storage tiers (stores outside memory) do not have. A
/// rendition is given to the tiers at its first use. So images that were only prefetched, and never shown, take no room
/// there.
struct UnusedRenditions: Sendable {
    private var works: [RenditionKey: RenderWork] = [:]

    var isEmpty: Bool { works.isEmpty }

    /// Adds a rendition, with the work (asset and predictions) that made it.
    ///
    /// - Returns: the work that was stored for the rendition before; nil if there was none.
    mutating func add(_ key: RenditionKey, _ work: RenderWork) -> RenderWork? { works.updateValue(work, forKey: key) }

    /// Removes a rendition that a request uses for the first time, or that has left memory.
    ///
    /// - Returns: the work that made the rendition; nil if this collection did not contain the rendition.
    mutating func remove(_ key: RenditionKey) -> RenderWork? {
        works.isEmpty ? nil : works.removeValue(forKey: key)
    }

    func checkInvariants(isCached: (RenditionKey) -> Bool) throws(BrokenInvariant) {
        try BrokenInvariant.require(works.keys.allSatisfy(isCached), "an unused rendition that has left memory")
    }
}
