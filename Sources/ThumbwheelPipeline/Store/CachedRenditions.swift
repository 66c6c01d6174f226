import ThumbwheelCore
import ThumbwheelRendering

/// The cached renditions of one asset in all memory tiers (unpacked and packed), from the fewest pixels to the most.
/// Renditions with equally many pixels are sorted by the number of the render that made them; renders are numbered in
/// the order in which they start. A binary search for the pixel count and the render number finds a rendition, even
/// among thousands of one size.
///
/// An asset may have thousands of renditions, as tiles or in sizes that callers choose. A search therefore starts at
/// the first rendition that may be large enough, and looks at a bounded number of renditions.
struct CachedRenditions: Sendable {
    struct Entry: Sendable {
        let key: RenditionKey
        let shared: SharedImage
        fileprivate let pixelCount: Int
        fileprivate var renderNumber: UInt64 { shared.facts.renderNumber }
    }

    /// The largest number of renditions that one search looks at. A search through more would take longer than decoding
    /// the photograph.
    private static let searchLimit = 512

    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func insert(_ key: RenditionKey, _ shared: SharedImage) {
        let pixelCount = shared.facts.pixelSize.pixelCount
        let entry = Entry(key: key, shared: shared, pixelCount: pixelCount)
        let renderNumber = entry.renderNumber
        entries.insert(
            entry, at: firstIndex { ($0.pixelCount, $0.renderNumber) > (pixelCount, renderNumber) })
    }

    /// Removes a rendition of the asset.
    ///
    /// - Returns: false if `entries` did not contain the rendition.
    @discardableResult
    mutating func remove(_ shared: SharedImage) -> Bool {
        let (pixelCount, renderNumber) = (shared.facts.pixelSize.pixelCount, shared.facts.renderNumber)
        let first = firstIndex { ($0.pixelCount, $0.renderNumber) >= (pixelCount, renderNumber) }
        // Searches one by one from `first`. Only a few renditions have the same size and render number, because a
        // render makes few renditions.
        let index = entries[first...].firstIndex { $0.shared === shared }
        guard let index else { return false }
        entries.remove(at: index)
        return true
    }

    /// The smallest rendition of at least `pixelCount` pixels for which `isWanted` is true. Looks at `searchLimit`
    /// renditions at most, so it may return nil although there is such a rendition.
    func smallest(ofAtLeast pixelCount: Int, where isWanted: (Entry) -> Bool) -> Entry? {
        entries[firstIndex(ofAtLeast: pixelCount)...].prefix(Self.searchLimit).first(where: isWanted)
    }

    /// The first rendition of exactly `pixelCount` pixels for which `isWanted` is true. Looks at `searchLimit`
    /// renditions at most.
    func first(of pixelCount: Int, where isWanted: (Entry) -> Bool) -> Entry? {
        entries[firstIndex(ofAtLeast: pixelCount)...].prefix(Self.searchLimit).prefix { $0.pixelCount == pixelCount }
            .first(where: isWanted)
    }

    /// The largest rendition for which `isWanted` is true; of several that are equally large, the oldest. Looks at
    /// `searchLimit` renditions at most.
    func largest(where isWanted: (Entry) -> Bool) -> Entry? {
        var best: Entry?
        for entry in entries.reversed().prefix(Self.searchLimit) {
            if let best, entry.pixelCount < best.pixelCount { break }
            if isWanted(entry) { best = entry }
        }
        return best
    }

    /// The index of the first rendition of at least `pixelCount` pixels.
    private func firstIndex(ofAtLeast pixelCount: Int) -> Int { firstIndex { $0.pixelCount >= pixelCount } }

    /// The index of the first rendition for which `isBeyond` is true; the number of renditions if there is none.
    ///
    /// - Parameter isBeyond: a condition that is false for all renditions before some index, and true from there on.
    private func firstIndex(where isBeyond: (Entry) -> Bool) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func checkInvariants() throws(BrokenInvariant) {
        for (entry, next) in zip(entries, entries.dropFirst()) {
            try BrokenInvariant.require(entry.pixelCount <= next.pixelCount, "a larger rendition before a smaller")
        }
        try BrokenInvariant.require(!entries.isEmpty, "an asset in the index that nothing is cached of")
    }
}
