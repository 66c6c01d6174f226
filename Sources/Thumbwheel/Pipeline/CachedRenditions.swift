import ThumbwheelCore
import ThumbwheelRendering

/// The cached renditions of one asset, packed ones too, from the smallest to the largest; of equal size in the order in which
/// they were made.
///
/// An asset may have thousands, as tiles or in sizes that callers choose: what looks for one that would serve begins where one
/// can be large enough, and looks at a bounded number.
struct CachedRenditions: Sendable {
    struct Entry: Sendable {
        let key: RenditionKey
        let shared: SharedImage
        fileprivate let pixelCount: Int
    }

    /// So many are looked at in one search: beyond that, a decode is sooner than the search is over.
    private static let searchLimit = 512

    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func insert(_ key: RenditionKey, _ shared: SharedImage) {
        let pixelCount = shared.image.pixelSize.pixelCount
        let entry = Entry(key: key, shared: shared, pixelCount: pixelCount)
        entries.insert(entry, at: pixelCount < .max ? firstIndex(of: pixelCount + 1) : entries.count)
    }

    /// - Returns: whether it was there.
    @discardableResult
    mutating func remove(_ shared: SharedImage) -> Bool {
        let index = entries[firstIndex(of: shared.image.pixelSize.pixelCount)...].firstIndex { $0.shared === shared }
        guard let index else { return false }
        entries.remove(at: index)
        return true
    }

    /// The smallest of at least `pixelCount` pixels that is wanted; of a bounded number, so that nil may be wrong.
    func smallest(of pixelCount: Int, where isWanted: (Entry) -> Bool) -> Entry? {
        entries[firstIndex(of: pixelCount)...].prefix(Self.searchLimit).first(where: isWanted)
    }

    /// The first of exactly `pixelCount` pixels that is wanted, likewise.
    func first(of pixelCount: Int, where isWanted: (Entry) -> Bool) -> Entry? {
        entries[firstIndex(of: pixelCount)...].prefix(Self.searchLimit).prefix { $0.pixelCount == pixelCount }
            .first(where: isWanted)
    }

    /// The largest that is wanted, and of such the first, likewise.
    func largest(where isWanted: (Entry) -> Bool) -> Entry? {
        var best: Entry?
        for entry in entries.reversed().prefix(Self.searchLimit) {
            if let best, entry.pixelCount < best.pixelCount { break }
            if isWanted(entry) { best = entry }
        }
        return best
    }

    /// Where those of at least `pixelCount` pixels begin.
    private func firstIndex(of pixelCount: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].pixelCount < pixelCount { low = middle + 1 } else { high = middle }
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
