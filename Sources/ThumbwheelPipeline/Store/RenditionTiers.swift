import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelRendering

/// The cached renditions in their tiers (bitmaps and packed bitmaps), and an index of each asset's renditions in all
/// tiers.
///
/// The tiers know neither the memory budget nor who uses an image: `RenditionStore` decides what leaves them, and when.
struct RenditionTiers: Sendable {
    typealias Tier = LRUCache<RenditionKey, SharedImage>

    private var bitmaps = Tier()
    // The tiers of packed bitmaps, indexed by their raw values.
    private var packedTiers = Array(repeating: Tier(), count: MemoryTier.packedTiers.count)
    /// The renditions of each asset in all tiers, for look-ups that do not name one rendition by its key.
    private var renditions: [AssetIdentifier: CachedRenditions] = [:]
    private var shares = BudgetShares()

    subscript(tier: MemoryTier) -> Tier { tier.isReady ? bitmaps : packedTiers[tier.rawValue] }

    private mutating func change<Result>(_ tier: MemoryTier, _ body: (inout Tier) -> Result) -> Result {
        tier.isReady ? body(&bitmaps) : body(&packedTiers[tier.rawValue])
    }

    // MARK: Looking up cached renditions

    /// The number of bytes that all cached files and unpacked bitmaps take.
    var readyByteCount: Int { bitmaps.byteCount }

    /// The number of bytes that all packed bitmaps take.
    var packedByteCount: Int { packedTiers.reduce(0) { $0 + $1.byteCount } }

    func contains(_ key: RenditionKey) -> Bool { bitmaps.contains(key) }

    /// The bytes that a rendition's cached bitmap takes; nil if there is none.
    func byteCount(of key: RenditionKey) -> Int? { bitmaps.peek(key)?.facts.byteCount }

    /// The pixels of a cached rendition. Reading them does not count the rendition as used.
    func pixels(of key: RenditionKey) -> Bitmap? { bitmaps.peek(key)?.bitmap }

    /// The cached image of a rendition; nil if there is none. The look-up counts as a use, which delays the image's
    /// eviction.
    mutating func image(_ key: RenditionKey) -> SharedImage? { bitmaps.value(forKey: key) }

    /// The cached image that answers a request for the rendition `key`: the image of that rendition or, if there is
    /// none, of a better rendition (`substituteKey`). Nil if neither is cached. The look-up counts as a use, which
    /// delays the image's eviction.
    mutating func image(satisfying key: RenditionKey) -> SharedImage? {
        if let image = bitmaps.value(forKey: key) { return image }
        return key.substituteKey.flatMap { bitmaps.value(forKey: $0) }
    }

    /// The cached image of a rendition; nil if there is none. The look-up does not count as a use.
    func peek(_ key: RenditionKey) -> SharedImage? { bitmaps.peek(key) }

    /// Counts a cached rendition as used.
    mutating func noteUse(of key: RenditionKey) {
        _ = bitmaps.value(forKey: key)
    }

    /// A cached image that can serve as the image for `key`: it shows the same part of the picture at the same size and
    /// is at least as good, but was requested with other options, such as another content mode. The look-up counts as a
    /// use, which delays the image's eviction.
    mutating func equivalentImage(to key: RenditionKey, _ work: RenderWork) -> SharedImage? {
        guard key.encoding == nil, let geometry = work.geometry,
            let same = renditions[key.subject.asset]?.first(
                of: geometry.outputSize.pixelCount,
                where: { candidate in
                    let facts = candidate.shared.facts
                    return candidate.key.isGoodEnough(for: key) && !facts.isPartial && !facts.isPacked
                        && facts.geometry?.isSamePicture(as: geometry) ?? false
                })
        else { return nil }
        return bitmaps.value(forKey: same.key)
    }

    /// The cached image with the most pixels among those with the same picture, video frame, crop and pixel range
    /// (standard or extended) as `key`. Packed bitmaps are left out. The look-up counts as a use, which delays the
    /// image's eviction.
    mutating func largestImage(like key: RenditionKey) -> SharedImage? {
        let (crop, range) = (key.options.normalizedCropRect, key.options.pixelRange)
        let time = key.options.frameTime
        let best = renditions[key.subject.asset]?.largest {
            $0.key.subject == key.subject && $0.key.encoding == nil && $0.key.options.normalizedCropRect == crop
                && $0.key.options.pixelRange == range && $0.key.options.frameTime == time && !$0.shared.facts.isPacked
        }
        return best.flatMap { bitmaps.value(forKey: $0.key) }
    }

    // MARK: Renditions made from other renditions

    /// The cached rendition from which the rendition `key` would be made now; nil if the photograph has to be decoded.
    func input(for key: RenditionKey, _ work: RenderWork) -> RenderInput? {
        guard key.encoding == nil else { return pixelsToEncode(for: key) }
        return packedRendition(key) ?? betterRendition(than: key, work)
    }

    /// The cached pixels from which the encoded file `key` can be made by encoding alone; nil if there are none. Two
    /// kinds of pixels are not used: pixels that were resampled from another rendition, and pixels from a decode larger
    /// than the file needs. Such pixels may differ in the last bit, but files with the same entity tag must be equal
    /// byte for byte.
    private func pixelsToEncode(for key: RenditionKey) -> RenderInput? {
        guard let shared = bitmaps.peek(key.unencoded), !shared.facts.mayDifferFromOwnDecode else { return nil }
        return RenderInput(key.unencoded, shared)
    }

    /// The packed pixels of a rendition. If a rendition of fast quality has none, the packed pixels of the same image
    /// in high quality are used. Nil if there are none.
    private func packedRendition(_ key: RenditionKey) -> RenderInput? {
        for packed in packedTiers.reversed() where packed.count > 0 {
            if let shared = packed.peek(key) { return RenderInput(key, shared) }
            guard key.kind == .fast, let shared = packed.peek(key.with(.high)) else { continue }
            return RenderInput(key.with(.high), shared)
        }
        return nil
    }

    /// The smallest cached rendition from which the rendition `key` can be resampled; nil if there is none. A rendition
    /// is used only if resampling is expected to take no longer than a decode, or if a decode would first have to fetch
    /// the file.
    private func betterRendition(than key: RenditionKey, _ work: RenderWork) -> RenderInput? {
        guard let geometry = work.geometry, let renditions = renditions[key.subject.asset] else { return nil }
        var best: RenderInput?
        _ = renditions.smallest(ofAtLeast: geometry.minimumPixelCount(headroom: key.resamplingHeadroom)) { candidate in
            // Pixels that have been resampled once are not resampled again, because some quality is lost each time.
            let facts = candidate.shared.facts
            guard candidate.key.isGoodEnough(for: key), let given = facts.geometry, !facts.isPartial, !facts.isPacked,
                facts.source != .cache, let box = geometry.box(in: given, headroom: key.resamplingHeadroom)
            else { return false }
            let input = RenderInput(candidate.key, candidate.shared, box: box)
            guard work.remoteByteCount != nil || input.predictedMilliseconds <= work.predictedMilliseconds else {
                return false
            }
            best = input
            return true
        }
        return best
    }

    func isCached(_ input: RenderInput) -> Bool { self[input.shared.facts.memoryTier].contains(input.key) }

    /// Counts the input of a render (a cached rendition) as used, because the render is about to read it.
    mutating func touch(_ input: RenderInput) {
        _ = change(input.shared.facts.memoryTier) { $0.value(forKey: input.key) }
    }

    /// The keys of all cached renditions of an asset, from the smallest to the largest.
    func keys(of asset: AssetIdentifier) -> [RenditionKey] { renditions[asset]?.entries.map(\.key) ?? [] }

    // MARK: Inserting, removing and evicting renditions

    /// Puts a rendition into the memory tier that stores its form (unpacked or packed).
    ///
    /// - Parameters:
    ///   - isWanted: whether a caching manager wants the rendition.
    ///   - share: the share of the budget that the rendition takes from; nil if nobody's.
    /// - Returns: the rendition's older image in that tier; nil if there was none.
    mutating func insert(
        _ shared: SharedImage, for key: RenditionKey, isWanted: Bool, isUsed: Bool, in share: BudgetShare?
    ) -> DepartedRendition? {
        let tier = shared.facts.memoryTier
        let owner = shares.add(shared.facts.byteCount, of: share)
        let replaced = change(tier) {
            $0.insert(
                shared, forKey: key, byteCount: shared.facts.byteCount, into: isWanted ? .held : .loose,
                at: isUsed ? .hot : .cold, isUsed: isUsed, owner: owner)
        }
        renditions[key.subject.asset, default: CachedRenditions()].insert(key, shared)
        return replaced.map { depart($0, from: tier) }
    }

    mutating func remove(_ key: RenditionKey, from tier: MemoryTier) -> DepartedRendition? {
        change(tier) { $0.remove(key) }.map { depart($0, from: tier) }
    }

    /// Marks a cached rendition as wanted by some caching manager, or as wanted by none.
    mutating func setWanted(_ isWanted: Bool, _ key: RenditionKey) {
        bitmaps.move(key, to: isWanted ? .held : .loose)
    }

    /// Prepares the eviction of `byteCount` bytes from a tier. Eviction begins at the end of the tier with the least
    /// recently used images. Images that cannot be evicted are moved to the other end.
    ///
    /// - Parameters:
    ///   - passedOverCount: the largest number of images that may be moved.
    ///   - isEvictable: returns whether an image can be evicted.
    /// - Returns: the number of bytes that can now be evicted. It is less than `byteCount` if too few images can be
    ///   evicted, and otherwise `byteCount` or a little more.
    mutating func prepareToEvict(
        _ byteCount: Int, of tier: MemoryTier, _ segment: Tier.Segment, passingOverAtMost passedOverCount: Int,
        where isEvictable: (SharedImage) -> Bool
    ) -> Int {
        change(tier) {
            $0.prepareToEvict(byteCount, of: segment, passingOverAtMost: passedOverCount, where: isEvictable)
        }
    }

    mutating func evictColdest(of tier: MemoryTier, _ segment: Tier.Segment) -> DepartedRendition? {
        change(tier) { $0.evictColdest(of: segment) }.map { depart($0, from: tier, isEvicted: true) }
    }

    /// Evicts the coldest (least recently used) of the bitmaps that no caching manager wants and that no request has
    /// used.
    mutating func evictColdestUnused() -> DepartedRendition? {
        bitmaps.evictColdestUnused(of: .loose).map { depart($0, from: .bitmaps, isEvicted: true) }
    }

    // MARK: Shares of the budget

    /// Whether the cache has renditions of several owners. If not, shares of the budget change nothing.
    var areShared: Bool { shares.areSeveral }

    /// The bytes of each owner of a share of the budget, in all tiers.
    var ownedByteCounts: [Int: Int] { shares.isEmpty ? [:] : shares.byteCounts }

    /// The share of the budget that a cached rendition takes from; nil if nobody's.
    func share(of input: RenderInput) -> BudgetShare? {
        shares.isEmpty ? nil : shares.share(of: self[input.shared.facts.memoryTier].owner(of: input.key))
    }

    /// Evicts the least recently used images of a segment that are nobody's, or whose owners have more than their
    /// shares. Images of other owners are spared, within limits; `LRUCache.evict` tells which.
    ///
    /// Shares are parts of what remains when `byteCount` bytes have gone. So until they have, somebody has more than
    /// his share.
    ///
    /// - Parameters:
    ///   - passedOverCount: the largest number of images in use that are passed over.
    ///   - sparedCount: the number of images that are spared, at most, besides as many as are expected to be evicted.
    ///   - isEvictable: returns whether an image can be evicted.
    mutating func evictBeyondShares(
        _ byteCount: Int, of tier: MemoryTier, _ segment: Tier.Segment, passingOverAtMost passedOverCount: Int,
        sparingAtMost sparedCount: Int, where isEvictable: (SharedImage) -> Bool
    ) -> [DepartedRendition] {
        takeBeyondShares(
            byteCount, of: tier, segment, passingOverAtMost: passedOverCount, sparingAtMost: sparedCount,
            where: isEvictable
        ).map { depart($0, from: tier, isEvicted: true) }
    }

    /// Does what `evictBeyondShares` does in the tier alone.
    private mutating func takeBeyondShares(
        _ byteCount: Int, of tier: MemoryTier, _ segment: Tier.Segment, passingOverAtMost passedOverCount: Int,
        sparingAtMost sparedCount: Int, where isEvictable: (SharedImage) -> Bool
    ) -> [Tier.Removed] {
        let whole = readyByteCount + packedByteCount
        let (count, bytes) = (Double(self[tier].count), Double(max(1, self[tier].byteCount)))
        let expectedCount = Int(count * min(1, Double(byteCount) / bytes))
        let shares = shares
        return change(tier) { tier in
            // The bytes that owners have after what has been evicted here.
            var rests: [Int: Int] = [:]
            return tier.evict(
                byteCount, of: segment, passingOverAtMost: passedOverCount, sparingAtMost: sparedCount + expectedCount,
                Tier.Patience(round: shares.round, roundCount: BudgetShares.sparingRoundCount),
                sparing: { owner, byteCountOfEntry in
                    let rest = rests[owner] ?? shares.byteCount(of: owner)
                    guard !shares.isWithinShare(owner, rest, of: max(0, whole - byteCount)) else { return true }
                    rests[owner] = rest - byteCountOfEntry
                    return false
                }, where: isEvictable)
        }
    }

    /// Removes a rendition from the index, after its removal from a tier.
    private mutating func depart(
        _ removed: Tier.Removed, from tier: MemoryTier, isEvicted: Bool = false
    ) -> DepartedRendition {
        let asset = removed.key.subject.asset
        if isEvicted, shares.areSeveral {
            shares.noteEviction(of: removed.byteCount, leaving: readyByteCount + packedByteCount)
        }
        shares.remove(removed.byteCount, of: removed.owner)
        renditions[asset]?.remove(removed.value)
        if renditions[asset]?.isEmpty ?? false { renditions[asset] = nil }
        return DepartedRendition(
            key: removed.key, image: removed.value, byteCount: removed.byteCount, wasUsed: removed.wasUsed, tier: tier,
            isEvicted: isEvicted)
    }

    /// Throws if the index and the tiers contradict each other.
    func checkInvariants() throws(BrokenInvariant) {
        try BrokenInvariant.require(
            renditions.values.reduce(0) { $0 + $1.entries.count }
                == MemoryTier.allCases.reduce(0) { $0 + self[$1].count }
                && renditions.values.allSatisfy { renditions in
                    renditions.entries.allSatisfy { self[$0.shared.facts.memoryTier].peek($0.key) === $0.shared }
                }, "the store's index is out of step")
        for renditions in renditions.values { try renditions.checkInvariants() }
        try shares.checkInvariants(
            renditions.values.lazy.flatMap(\.entries).map { entry in
                let facts = entry.shared.facts
                return (self[facts.memoryTier].owner(of: entry.key), facts.byteCount)
            })
        for tier in MemoryTier.packedTiers {
            for key in self[tier].keys(of: .loose) {
                let isElsewhere = MemoryTier.allCases.contains { $0 != tier && self[$0].contains(key) }
                try BrokenInvariant.require(!isElsewhere, "a rendition in two tiers")
            }
        }
    }
}
