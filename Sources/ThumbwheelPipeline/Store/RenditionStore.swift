import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelRendering

/// The cached renditions, in tiers (bitmaps and packed bitmaps), and the memory budget. The budget also counts all
/// other memory of the pipeline.
///
/// Mutating methods return the renditions that have left the store. The caller counts them, tells the caching windows
/// that want them, and destroys them outside the lock.
struct RenditionStore: Sendable {
    private typealias Tier = LRUCache<RenditionKey, SharedImage>

    private var bitmaps = Tier()
    // The tiers of packed bitmaps, indexed by their raw values.
    private var colder = Array(repeating: Tier(), count: MemoryTier.colder.count)
    /// The renditions of each asset in all tiers, for look-ups that accept more than one rendition.
    private var renditions: [AssetIdentifier: CachedRenditions] = [:]
    /// The images that renders read at this moment. An image is in the list once for each render that reads it.
    private var imagesBeingRead: [SharedImage] = []
    private var onTheWay = ImagesOnTheWay()
    private(set) var budget: MemoryBudget
    private var pressure: PressureState

    private let keepsChanges: Bool
    /// The changes since the last `takeChanges`: ready renditions that have entered or left the cache.
    private var changes: [RenditionChange] = []

    /// The largest number of images that one search for evictable images may skip because receivers hold them.
    private static let passedOverLimit = 256

    init(budget: Int, keepsChanges: Bool = false) {
        self.keepsChanges = keepsChanges
        self.budget = MemoryBudget(limit: budget)
        pressure = PressureState(grantedByteCount: budget)
    }

    // MARK: Questions that change nothing

    /// Bytes of all bitmaps and files.
    var cachedByteCount: Int { bitmaps.byteCount }

    func contains(_ key: RenditionKey) -> Bool { bitmaps.contains(key) }

    /// The bytes that a rendition's cached bitmap takes; nil if there is none.
    func byteCount(of key: RenditionKey) -> Int? { bitmaps.peek(key)?.facts.byteCount }

    /// The pixels of a cached rendition. Reading them does not count the rendition as used.
    func pixels(of key: RenditionKey) -> Bitmap? { bitmaps.peek(key)?.bitmap }

    /// The cached image of a rendition; nil if there is none. The look-up counts as a use, which delays the image's
    /// eviction.
    mutating func image(_ key: RenditionKey) -> SharedImage? { bitmaps.value(forKey: key) }

    /// The cached image that answers a request for a rendition, made for that rendition or for a better one; nil if
    /// there is none. The look-up counts as a use, which delays the image's eviction.
    mutating func image(satisfying key: RenditionKey) -> SharedImage? {
        if let image = bitmaps.value(forKey: key) { return image }
        return key.satisfyingInstead.flatMap { bitmaps.value(forKey: $0) }
    }

    /// The cached image of a rendition; nil if there is none. The look-up does not count as a use.
    func peek(_ key: RenditionKey) -> SharedImage? { bitmaps.peek(key) }

    /// Counts a cached rendition as used.
    mutating func noteUse(of key: RenditionKey) {
        _ = bitmaps.value(forKey: key)
    }

    /// A cached image that shows the same part of the picture at the same size, although it was requested with other
    /// options. The look-up counts as a use, which delays the image's eviction.
    mutating func samePicture(as key: RenditionKey, _ work: RenderWork) -> SharedImage? {
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

    /// The cached image with the most pixels among those with the same picture, crop, and range of light and colours.
    /// The look-up counts as a use, which delays the image's eviction.
    mutating func largestImage(like key: RenditionKey) -> SharedImage? {
        let (crop, range) = (key.options.normalizedCropRect, key.options.pixelRange)
        let best = renditions[key.subject.asset]?.largest {
            $0.key.subject == key.subject && $0.key.encoding == nil && $0.key.options.normalizedCropRect == crop
                && $0.key.options.pixelRange == range && !$0.shared.facts.isPacked
        }
        return best.flatMap { bitmaps.value(forKey: $0.key) }
    }

    // MARK: Renditions made from other renditions

    /// The cached rendition from which the rendition `key` would be made now; nil if the photograph has to be decoded.
    func input(for key: RenditionKey, _ work: RenderWork) -> RenderInput? {
        guard key.encoding == nil else { return pixelsToEncode(for: key) }
        return packedRendition(key) ?? betterRendition(than: key, work)
    }

    /// The cached pixels from which a file only has to be encoded; nil if there are none. Nil also if the pixels come
    /// from a larger decode for another rendition. Such pixels are not equal, to the last bit, to those that the file's
    /// entity tag promises.
    private func pixelsToEncode(for key: RenditionKey) -> RenderInput? {
        guard let shared = bitmaps.peek(key.unencoded), !shared.facts.isOfLargerDecode else { return nil }
        return RenderInput(key.unencoded, shared)
    }

    /// The packed pixels of a rendition. For the rendition of `.fast` requests, packed pixels of high quality serve as
    /// well.
    private func packedRendition(_ key: RenditionKey) -> RenderInput? {
        for packed in colder.reversed() where packed.count > 0 {
            if let shared = packed.peek(key) { return RenderInput(key, shared) }
            guard key.kind == .fast, let shared = packed.peek(key.with(.high)) else { continue }
            return RenderInput(key.with(.high), shared)
        }
        return nil
    }

    /// The smallest cached rendition from which the rendition `key` can be resampled; nil if there is none. Resampling
    /// must be faster than a decode, or save a fetch.
    private func betterRendition(than key: RenditionKey, _ work: RenderWork) -> RenderInput? {
        guard let geometry = work.geometry, let renditions = renditions[key.subject.asset] else { return nil }
        var best: RenderInput?
        _ = renditions.smallest(of: geometry.leastPixelCount(headroom: key.resamplingHeadroom)) { candidate in
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

    func isAtHand(_ input: RenderInput) -> Bool { tier(input.shared.facts.tier).contains(input.key) }

    /// Counts the input of a render (a cached rendition) as used, because the render is about to read it.
    mutating func touch(_ input: RenderInput) {
        _ = change(input.shared.facts.tier) { $0.value(forKey: input.key) }
    }

    /// Protects the input of a render (a cached rendition) from eviction while the render reads it. Until the render is
    /// over, evicting the input would free no memory.
    mutating func beginReading(_ input: RenderInput) {
        imagesBeingRead.append(input.shared)
    }

    mutating func endReading(_ input: RenderInput) {
        if let index = imagesBeingRead.firstIndex(where: { $0 === input.shared }) { imagesBeingRead.remove(at: index) }
    }

    /// Notes that the current event delivers an image. The image counts as in use during the event, although its
    /// receiver does not hold it yet.
    mutating func noteOnTheWay(_ image: SharedImage) {
        onTheWay.add(image)
    }

    mutating func endEvent() {
        onTheWay.endEvent()
    }

    // MARK: Entering and leaving the cache

    /// Puts a rendition into the memory tier for the form of its contents (unpacked or packed). Older images of the
    /// rendition are removed from all tiers.
    ///
    /// - Returns: the images that were removed.
    mutating func insert(
        _ shared: SharedImage, for key: RenditionKey, isHeld: Bool, isUsed: Bool
    ) -> [DepartedRendition] {
        let byteCount = shared.facts.byteCount
        let tier = shared.facts.tier
        var departed: [DepartedRendition] = []
        for other in MemoryTier.allCases where other != tier {
            if let replaced = change(other, { $0.remove(key) }) { departed.append(depart(replaced, from: other)) }
        }
        _ = budget.reserve(byteCount, for: tier.purpose)
        let replaced = change(tier) {
            $0.insert(
                shared, forKey: key, byteCount: byteCount, into: isHeld ? .held : .loose,
                at: isUsed ? .hot : .cold, isUsed: isUsed)
        }
        renditions[key.subject.asset, default: CachedRenditions()].insert(key, shared)
        if let replaced { departed.append(depart(replaced, from: tier)) }
        if tier.isReady { noteChange(RenditionChange(key: key, shared: shared)) }
        return departed
    }

    mutating func remove(_ key: RenditionKey) -> DepartedRendition? {
        for tier in MemoryTier.allCases {
            if let removed = change(tier, { $0.remove(key) }) { return depart(removed, from: tier) }
        }
        return nil
    }

    /// The keys of all cached renditions of an asset, from the smallest to the largest.
    func keys(of asset: AssetIdentifier) -> [RenditionKey] { renditions[asset]?.entries.map(\.key) ?? [] }

    /// Marks a cached rendition as wanted by some caching manager, or as wanted by none.
    mutating func setHeld(_ isHeld: Bool, _ key: RenditionKey) {
        bitmaps.move(key, to: isHeld ? .held : .loose)
    }

    /// The coldest (least recently used) image of a tier that can be packed. Only the `count` coldest images that no
    /// caching manager wants are considered. Images in use are skipped, and so are images that no request has used yet,
    /// previews, files, and pixels with transparency or in linear light.
    func coldestToPack(in tier: MemoryTier, among count: Int) -> RenderInput? {
        let images = self.tier(tier)
        let key = images.coldest(of: .loose, among: count) { key, shared, wasUsed in
            wasUsed && key.encoding == nil && key.kind != .preview && (shared.bitmap?.format ?? .rgb) == .rgb
                && !isInUse(shared)
        }
        return key.flatMap { key in images.peek(key).map { RenderInput(key, $0) } }
    }

    /// Whether a tier takes more than its share of the budget, so that its coldest images have to move to the next
    /// tier.
    func isBeyondShare(_ tier: MemoryTier) -> Bool { self.tier(tier).byteCount > tier.byteLimit(of: budget.limit) }

    // MARK: Reports of changes

    /// Takes the changes since the last call, in order.
    mutating func takeChanges() -> [RenditionChange] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }

    private mutating func noteChange(_ change: @autoclosure () -> RenditionChange) {
        if keepsChanges { changes.append(change()) }
    }

    // MARK: The budget

    mutating func reserve(_ byteCount: Int, for purpose: MemoryBudget.Purpose) -> Reservation {
        budget.reserve(byteCount, for: purpose)
    }

    mutating func release(_ reservation: Reservation) {
        budget.release(reservation)
    }

    /// The bytes that must be freed so that `byteCount` more bytes fit into the budget; 0 if they fit already.
    func shortage(for byteCount: Int) -> Int { budget.shortage(for: byteCount) }

    /// The bytes that would still be missing for `byteCount` more bytes after all evictable renditions have been
    /// evicted; 0 if there would be enough room.
    ///
    /// - Parameter includingHeld: whether renditions that caching managers want may be evicted too.
    mutating func lack(for byteCount: Int, includingHeld: Bool) -> Int {
        let shortage = budget.shortage(for: byteCount)
        return shortage > 0 ? max(0, shortage - gather(shortage, includingHeld: includingHeld)) : 0
    }

    /// Evicts renditions until `byteCount` more bytes fit into the budget, or until nothing more can be evicted.
    ///
    /// The order is this:
    /// 1. bitmaps that no request has used and that no caching manager wants any more;
    /// 2. packed bitmaps, the least recently used first;
    /// 3. other bitmaps that no caching manager wants, the least recently used first;
    /// 4. if `includingHeld`, bitmaps that caching managers want, the least recently used first.
    ///
    /// Bitmaps in use stay in the store. Receivers hold them or renders read them, so evicting them would free no
    /// memory.
    mutating func evict(untilFitting byteCount: Int, includingHeld: Bool) -> [DepartedRendition] {
        guard budget.shortage(for: byteCount) > 0 else { return [] }
        var departed: [DepartedRendition] = []
        for tier in MemoryTier.colder {
            while self.tier(tier).count > 0, budget.shortage(for: byteCount) > 0,
                let evicted = evictColdestUnused() ?? evictColdest(of: tier)
            {
                departed.append(evicted)
            }
        }
        for segment in includingHeld ? [Tier.Segment.loose, .held] : [.loose] {
            let shortage = budget.shortage(for: byteCount)
            guard shortage > 0 else { break }
            evict(gather(shortage, of: segment), of: segment, into: &departed)
        }
        return departed
    }

    // MARK: Pressure

    /// The memory pressure: the higher of the levels that the two sources report.
    var pressureLevel: MemoryPressure { pressure.level }

    func pressureLevel(of source: MemoryPressureSource) -> MemoryPressure { pressure[source] }

    /// Changes the limit of the budget, and evicts renditions that no longer fit.
    mutating func setBudget(_ byteCount: Int) -> [DepartedRendition] {
        pressure.grantedByteCount = byteCount
        return trim()
    }

    /// Changes the pressure that a source reports, and evicts the renditions that must be evicted at that pressure. A
    /// repeated call with the same level evicts renditions again.
    mutating func setPressure(_ level: MemoryPressure, from source: MemoryPressureSource) -> [DepartedRendition] {
        pressure[source] = level
        return trim()
    }

    private mutating func trim() -> [DepartedRendition] {
        budget.setLimit(pressure.limit)
        var departed: [DepartedRendition] = []
        if pressure.level >= .mild {
            while let evicted = evictColdestUnused() { departed.append(evicted) }
        }
        if pressure.level >= .moderate {
            for tier in MemoryTier.colder {
                while let evicted = evictColdest(of: tier) { departed.append(evicted) }
            }
            evict(gather(.max, of: .loose), of: .loose, into: &departed)
        }
        return departed + evict(untilFitting: 0, includingHeld: true)
    }

    // MARK: Statistics

    func add(to statistics: inout PipelineStatistics) {
        statistics.budgetUsedByteCount = budget.usedByteCount
        statistics.budgetPeakByteCount = budget.peak
        statistics.budgetLimitByteCount = budget.limit
        statistics.memoryPressure = pressure.level
        statistics.cachedByteCount = bitmaps.byteCount
        statistics.packedByteCount = colder.reduce(0) { $0 + $1.byteCount }
    }

    // MARK: Tiers

    private func tier(_ tier: MemoryTier) -> Tier {
        tier.isReady ? bitmaps : colder[tier.rawValue]
    }

    private mutating func change<Result>(_ tier: MemoryTier, _ body: (inout Tier) -> Result) -> Result {
        tier.isReady ? body(&bitmaps) : body(&colder[tier.rawValue])
    }

    /// Looks for renditions that can be evicted, and moves them to the cold ends of their tiers, where eviction begins.
    ///
    /// - Returns: the bytes that these renditions take: `byteCount` or a little more; fewer if too few renditions can
    ///   be evicted.
    private mutating func gather(_ byteCount: Int, includingHeld: Bool) -> Int {
        var gathered = 0
        for tier in MemoryTier.colder where gathered < byteCount {
            gathered += gatherColder(byteCount - gathered, of: tier)
        }
        for segment in includingHeld ? [Tier.Segment.loose, .held] : [.loose] where gathered < byteCount {
            gathered += gather(byteCount - gathered, of: segment)
        }
        return gathered
    }

    private mutating func gather(_ byteCount: Int, of segment: Tier.Segment) -> Int {
        onTheWay.forgetLastEvent()
        let (onTheWay, imagesBeingRead) = (onTheWay, imagesBeingRead)
        return bitmaps.gather(byteCount, of: segment, passingOverAtMost: Self.passedOverLimit) { image in
            !image.isHeldByReceivers && !onTheWay.contains(image) && !imagesBeingRead.contains { $0 === image }
        }
    }

    private mutating func gatherColder(_ byteCount: Int, of tier: MemoryTier) -> Int {
        let imagesBeingRead = imagesBeingRead
        return change(tier) {
            $0.gather(byteCount, of: .loose, passingOverAtMost: imagesBeingRead.count) { image in
                !imagesBeingRead.contains { $0 === image }
            }
        }
    }

    private mutating func evictColdestUnused() -> DepartedRendition? {
        bitmaps.evictColdestUnused(of: .loose).map { depart($0, from: .bitmaps, isEvicted: true) }
    }

    private mutating func evictColdest(of tier: MemoryTier) -> DepartedRendition? {
        guard gatherColder(1, of: tier) > 0, let removed = change(tier, { $0.evictColdest(of: .loose) }) else {
            return nil
        }
        return depart(removed, from: tier, isEvicted: true)
    }

    /// Evicts the coldest bitmaps of a segment (the bitmaps that caching managers want, or all others), `byteCount`
    /// bytes in all. `gather` has made sure that these bitmaps can be evicted.
    private mutating func evict(
        _ byteCount: Int, of segment: Tier.Segment, into departed: inout [DepartedRendition]
    ) {
        var rest = byteCount
        while rest > 0, let removed = bitmaps.evictColdest(of: segment) {
            rest -= removed.byteCount
            departed.append(depart(removed, from: .bitmaps, isEvicted: true))
        }
    }

    /// Whether an image is in use, so that evicting it would free no memory.
    private func isInUse(_ image: SharedImage) -> Bool {
        image.isHeldByReceivers || onTheWay.contains(image) || imagesBeingRead.contains { $0 === image }
    }

    private mutating func depart(
        _ removed: Tier.Removed, from tier: MemoryTier, isEvicted: Bool = false
    ) -> DepartedRendition {
        budget.release(Reservation(byteCount: removed.byteCount, purpose: tier.purpose))
        if tier.isReady { noteChange(RenditionChange(key: removed.key, shared: nil)) }
        let asset = removed.key.subject.asset
        renditions[asset]?.remove(removed.value)
        if renditions[asset]?.isEmpty ?? false { renditions[asset] = nil }
        return DepartedRendition(
            key: removed.key, image: removed.value, byteCount: removed.byteCount, wasUsed: removed.wasUsed, tier: tier,
            isEvicted: isEvicted)
    }
}

// MARK: What must hold between any two events

extension RenditionStore {
    /// - Parameter isHeld: returns whether some caching manager wants a rendition, which then counts as held.
    func checkInvariants(isHeld: (RenditionKey) -> Bool) throws(BrokenInvariant) {
        for purpose in Set(MemoryTier.allCases.map(\.purpose)) {
            let tiers = MemoryTier.allCases.filter { $0.purpose == purpose }
            try BrokenInvariant.require(
                budget.usedByteCount(for: purpose) == tiers.reduce(0) { $0 + tier($1).byteCount },
                "reservations of tiers do not add up")
        }
        try BrokenInvariant.require(
            renditions.values.reduce(0) { $0 + $1.entries.count }
                == MemoryTier.allCases.reduce(0) { $0 + tier($1).count }
                && renditions.values.allSatisfy { renditions in
                    renditions.entries.allSatisfy { tier($0.shared.facts.tier).peek($0.key) === $0.shared }
                }, "the store's index is out of step")
        for renditions in renditions.values { try renditions.checkInvariants() }
        for tier in MemoryTier.colder {
            for key in self.tier(tier).keys(of: .loose) {
                let isElsewhere = MemoryTier.allCases.contains { $0 != tier && self.tier($0).contains(key) }
                try BrokenInvariant.require(!isElsewhere, "a rendition in two tiers")
            }
        }
        // While the budget is exceeded, every image that no caching manager wants must be in use. An image that is not
        // in use would have been evicted.
        try BrokenInvariant.require(
            budget.shortage(for: 0) == 0
                || MemoryTier.allCases.allSatisfy { tier in
                    self.tier(tier).keys(of: .loose).allSatisfy { self.tier(tier).peek($0).map(isInUse) ?? true }
                },
            "over the budget for what nobody holds")
        for key in bitmaps.keys(of: .held) { try BrokenInvariant.require(isHeld(key), "held by nobody") }
        for key in bitmaps.keys(of: .loose) { try BrokenInvariant.require(!isHeld(key), "held and yet loose") }
    }
}
