import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelRendering

/// The cached renditions, in tiers (bitmaps and packed bitmaps), and the memory budget. The budget also counts all
/// other memory of the pipeline.
///
/// Mutating methods return the renditions that have left the store. The caller adds them to the statistics, informs the
/// caching managers that want them, and destroys them after the pipeline's lock is released.
struct RenditionStore: Sendable {
    private typealias Segment = RenditionTiers.Tier.Segment

    private var tiers = RenditionTiers()
    /// The images that renders read at this moment. An image is in the list once for each render that reads it.
    private var imagesBeingRead: [SharedImage] = []
    private var onTheWay = ImagesOnTheWay()
    private(set) var budget: MemoryBudget
    private var pressure: PressureState

    private let keepsChanges: Bool
    /// The changes since the last call of `takeChanges`: the unpacked bitmaps and the files that have entered or left
    /// the cache.
    private var changes: [RenditionChange] = []

    /// The largest number of images that one search for evictable images may skip because receivers hold them.
    private static let passedOverLimit = 256
    /// The largest number of images that one search may spare because their owners have no more than their shares of
    /// the budget.
    private static let sparedLimit = 256

    init(budget: Int, keepsChanges: Bool = false) {
        self.keepsChanges = keepsChanges
        self.budget = MemoryBudget(limit: budget)
        pressure = PressureState(grantedByteCount: budget)
    }

    // MARK: Look-ups in the tiers

    /// The number of bytes that all cached files and unpacked bitmaps take.
    var cachedByteCount: Int { tiers.readyByteCount }

    func contains(_ key: RenditionKey) -> Bool { tiers.contains(key) }

    func byteCount(of key: RenditionKey) -> Int? { tiers.byteCount(of: key) }

    func pixels(of key: RenditionKey) -> Bitmap? { tiers.pixels(of: key) }

    func peek(_ key: RenditionKey) -> SharedImage? { tiers.peek(key) }

    func keys(of asset: AssetIdentifier) -> [RenditionKey] { tiers.keys(of: asset) }

    mutating func image(_ key: RenditionKey) -> SharedImage? { tiers.image(key) }

    mutating func image(satisfying key: RenditionKey) -> SharedImage? { tiers.image(satisfying: key) }

    mutating func noteUse(of key: RenditionKey) { tiers.noteUse(of: key) }

    mutating func equivalentImage(to key: RenditionKey, _ work: RenderWork) -> SharedImage? {
        tiers.equivalentImage(to: key, work)
    }

    mutating func largestImage(like key: RenditionKey) -> SharedImage? { tiers.largestImage(like: key) }

    func input(for key: RenditionKey, _ work: RenderWork) -> RenderInput? { tiers.input(for: key, work) }

    func isCached(_ input: RenderInput) -> Bool { tiers.isCached(input) }

    /// The share of the budget that a cached rendition takes from; nil if nobody's.
    func share(of input: RenderInput) -> BudgetShare? { tiers.share(of: input) }

    mutating func touch(_ input: RenderInput) { tiers.touch(input) }

    mutating func setWanted(_ isWanted: Bool, _ key: RenditionKey) { tiers.setWanted(isWanted, key) }

    // MARK: Images in use

    /// Protects the input of a render (a cached rendition) from eviction while the render reads it. Until the render is
    /// over, evicting the input would free no memory.
    mutating func beginReading(_ input: RenderInput) {
        imagesBeingRead.append(input.shared)
    }

    mutating func endReading(_ input: RenderInput) {
        if let index = imagesBeingRead.firstIndex(where: { $0 === input.shared }) { imagesBeingRead.remove(at: index) }
    }

    /// Records that the current event, for example a submission or the end of a render, delivers an image. During the
    /// event, the image counts as in use and is not evicted, although its receiver does not hold it yet.
    mutating func noteOnTheWay(_ image: SharedImage) {
        onTheWay.add(image)
    }

    mutating func endEvent() {
        onTheWay.endEvent()
    }
    // MARK: Entering and leaving the cache

    /// Puts an image of a rendition into the memory tier that stores its form (unpacked or packed). If a tier already
    /// has an image of the same rendition, that image is removed.
    ///
    /// - Parameter share: the share of the budget that the image takes from; nil if nobody's.
    /// - Returns: the images that were removed.
    mutating func insert(
        _ shared: SharedImage, for key: RenditionKey, isWanted: Bool, isUsed: Bool, in share: BudgetShare? = nil
    ) -> [DepartedRendition] {
        let tier = shared.facts.memoryTier
        var departed: [DepartedRendition] = []
        for other in MemoryTier.allCases where other != tier {
            if let replaced = recordDeparture(tiers.remove(key, from: other)) { departed.append(replaced) }
        }
        _ = budget.reserve(shared.facts.byteCount, for: tier.purpose)
        let replaced = tiers.insert(shared, for: key, isWanted: isWanted, isUsed: isUsed, in: share)
        if let replaced = recordDeparture(replaced) { departed.append(replaced) }
        if tier.isReady { noteChange(RenditionChange(key: key, shared: shared)) }
        return departed
    }

    mutating func remove(_ key: RenditionKey) -> DepartedRendition? {
        for tier in MemoryTier.allCases {
            if let removed = recordDeparture(tiers.remove(key, from: tier)) { return removed }
        }
        return nil
    }

    /// Frees the part of the memory budget that a departed rendition took, and records the change. Does nothing if
    /// `departed` is nil.
    ///
    /// - Parameter departed: a rendition that has left the memory tiers.
    /// - Returns: the same rendition, which the caller passes on.
    private mutating func recordDeparture(_ departed: DepartedRendition?) -> DepartedRendition? {
        guard let departed else { return nil }
        budget.release(Reservation(byteCount: departed.byteCount, purpose: departed.tier.purpose))
        if departed.tier.isReady { noteChange(RenditionChange(key: departed.key, shared: nil)) }
        return departed
    }

    /// Finds the least recently used image in a tier that can be packed. Looks only at images that no caching manager
    /// wants, and at no more than `count` of them, from the least recently used on. These images cannot be packed:
    /// - images in use,
    /// - images that no request has used yet,
    /// - previews and encoded files,
    /// - pixels with transparency or in linear light.
    ///
    /// - Returns: nil if there is no such image.
    func coldestToPack(in tier: MemoryTier, among count: Int) -> RenderInput? {
        let images = tiers[tier]
        let key = images.coldest(of: .loose, among: count) { key, shared, wasUsed in
            wasUsed && key.encoding == nil && key.kind != .preview && (shared.bitmap?.format ?? .rgb) == .rgb
                && !isInUse(shared)
        }
        return key.flatMap { key in images.peek(key).map { RenderInput(key, $0) } }
    }

    /// Whether a tier takes more than its share of the budget, so that its coldest images have to move to the next
    /// tier.
    func isBeyondShare(_ tier: MemoryTier) -> Bool { tiers[tier].byteCount > tier.byteLimit(of: budget.limit) }

    // MARK: Recording changes of the cache

    /// Removes and returns the recorded changes: the unpacked bitmaps and the files that have entered or left the cache
    /// since the last call, in order.
    mutating func takeChanges() -> [RenditionChange] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }

    private mutating func noteChange(_ change: @autoclosure () -> RenditionChange) {
        if keepsChanges { changes.append(change()) }
    }

    // MARK: The memory budget

    mutating func reserve(_ byteCount: Int, for purpose: MemoryBudget.Purpose) -> Reservation {
        budget.reserve(byteCount, for: purpose)
    }

    mutating func release(_ reservation: Reservation) {
        budget.release(reservation)
    }

    /// The bytes that must be freed so that `byteCount` more bytes fit into the budget; 0 if they fit already.
    func shortage(for byteCount: Int) -> Int { budget.shortage(for: byteCount) }

    /// Finds out whether evictions can make room for `byteCount` more bytes in the budget. Returns the number of bytes
    /// that would still be lacking after all possible evictions; 0 if there would be room. Evicts nothing.
    ///
    /// - Parameter includingWanted: whether renditions that caching managers want may be evicted too.
    mutating func shortageAfterEvicting(for byteCount: Int, includingWanted: Bool) -> Int {
        let shortage = budget.shortage(for: byteCount)
        return shortage > 0 ? max(0, shortage - prepareToEvict(shortage, includingWanted: includingWanted)) : 0
    }

    /// Evicts renditions until `byteCount` more bytes fit into the budget, or until nothing more can be evicted.
    ///
    /// The order is this:
    /// 1. bitmaps that no request has used and that no caching manager wants any more;
    /// 2. packed bitmaps, the least recently used first;
    /// 3. other bitmaps that no caching manager wants, the least recently used first;
    /// 4. if `includingWanted`, bitmaps that caching managers want, the least recently used first.
    ///
    /// If several owners have shares of the budget, there is a first pass over 1 to 3, which spares renditions of owners
    /// that have no more than their shares.
    ///
    /// Bitmaps in use stay in the store. Receivers hold them or renders read them, so evicting them would free no
    /// memory.
    mutating func evict(untilFitting byteCount: Int, includingWanted: Bool) -> [DepartedRendition] {
        guard budget.shortage(for: byteCount) > 0 else { return [] }
        var departed = tiers.areShared ? evictBeyondShares(untilFitting: byteCount) : []
        for tier in MemoryTier.packedTiers {
            while tiers[tier].count > 0, budget.shortage(for: byteCount) > 0,
                let evicted = evictColdestUnused() ?? evictColdest(of: tier)
            {
                departed.append(evicted)
            }
        }
        for segment in includingWanted ? [Segment.loose, .held] : [.loose] {
            let shortage = budget.shortage(for: byteCount)
            guard shortage > 0 else { break }
            evict(prepareToEvict(shortage, of: segment), of: segment, into: &departed)
        }
        return departed
    }

    /// Evicts renditions of nobody, and of owners with more than their shares of the budget, until `byteCount` more bytes
    /// fit into the budget, or until no more of them are found within limits.
    private mutating func evictBeyondShares(untilFitting byteCount: Int) -> [DepartedRendition] {
        var departed: [DepartedRendition] = []
        for tier in MemoryTier.allCases where tiers[tier].count > 0 {
            while !tier.isReady, budget.shortage(for: byteCount) > 0, let evicted = evictColdestUnused() {
                departed.append(evicted)
            }
            let shortage = budget.shortage(for: byteCount)
            guard shortage > 0 else { break }
            onTheWay.forgetLastEvent()
            let (onTheWay, imagesBeingRead) = (onTheWay, imagesBeingRead)
            let evicted = tiers.evictBeyondShares(
                shortage, of: tier, .loose,
                passingOverAtMost: tier.isReady ? Self.passedOverLimit : imagesBeingRead.count,
                sparingAtMost: Self.sparedLimit
            ) { image in
                !image.isHeldByReceivers && !onTheWay.contains(image) && !imagesBeingRead.contains { $0 === image }
            }
            for rendition in evicted { recordDeparture(rendition).map { departed.append($0) } }
        }
        return departed
    }

    // MARK: Memory pressure

    /// The memory pressure: the higher of two levels. One is measured in the system; the other one is reported by the
    /// program that uses this library.
    var pressureLevel: MemoryPressure { pressure.level }

    func pressureLevel(of source: MemoryPressureSource) -> MemoryPressure { pressure[source] }

    /// Sets the size of the memory budget, and evicts renditions that no longer fit.
    mutating func setBudget(_ byteCount: Int) -> [DepartedRendition] {
        pressure.grantedByteCount = byteCount
        return trim()
    }

    /// Sets the pressure that a source reports, and evicts the renditions that must be evicted at that pressure. A
    /// repeated report of the same level evicts too, because renditions may have entered the cache since the last
    /// report.
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
            for tier in MemoryTier.packedTiers {
                while let evicted = evictColdest(of: tier) { departed.append(evicted) }
            }
            evict(prepareToEvict(.max, of: .loose), of: .loose, into: &departed)
        }
        return departed + evict(untilFitting: 0, includingWanted: true)
    }

    // MARK: Statistics

    func add(to statistics: inout PipelineStatistics) {
        statistics.budgetUsedByteCount = budget.usedByteCount
        statistics.budgetPeakByteCount = budget.peak
        statistics.budgetLimitByteCount = budget.limit
        statistics.memoryPressure = pressure.level
        statistics.cachedByteCount = tiers.readyByteCount
        statistics.packedByteCount = tiers.packedByteCount
        statistics.ownedByteCounts = tiers.ownedByteCounts
    }

    // MARK: Eviction

    /// Prepares the eviction of `byteCount` bytes. Eviction begins at the end of a tier with the least recently used
    /// renditions. Renditions in use are moved to the other end, because evicting them would free no memory.
    ///
    /// - Parameter includingWanted: whether renditions that caching managers want may be evicted too.
    /// - Returns: the number of bytes that can now be evicted. It is less than `byteCount` if too few renditions can be
    ///   evicted, and otherwise `byteCount` or a little more.
    private mutating func prepareToEvict(_ byteCount: Int, includingWanted: Bool) -> Int {
        var evictable = 0
        for tier in MemoryTier.packedTiers where evictable < byteCount {
            evictable += prepareToEvictPacked(byteCount - evictable, of: tier)
        }
        for segment in includingWanted ? [Segment.loose, .held] : [.loose] where evictable < byteCount {
            evictable += prepareToEvict(byteCount - evictable, of: segment)
        }
        return evictable
    }

    private mutating func prepareToEvict(_ byteCount: Int, of segment: Segment) -> Int {
        onTheWay.forgetLastEvent()
        let (onTheWay, imagesBeingRead) = (onTheWay, imagesBeingRead)
        return tiers.prepareToEvict(
            byteCount, of: .bitmaps, segment, passingOverAtMost: Self.passedOverLimit
        ) { image in
            !image.isHeldByReceivers && !onTheWay.contains(image) && !imagesBeingRead.contains { $0 === image }
        }
    }

    private mutating func prepareToEvictPacked(_ byteCount: Int, of tier: MemoryTier) -> Int {
        let imagesBeingRead = imagesBeingRead
        return tiers.prepareToEvict(byteCount, of: tier, .loose, passingOverAtMost: imagesBeingRead.count) { image in
            !imagesBeingRead.contains { $0 === image }
        }
    }

    private mutating func evictColdestUnused() -> DepartedRendition? { recordDeparture(tiers.evictColdestUnused()) }

    private mutating func evictColdest(of tier: MemoryTier) -> DepartedRendition? {
        prepareToEvictPacked(1, of: tier) > 0 ? recordDeparture(tiers.evictColdest(of: tier, .loose)) : nil
    }

    /// Evicts the least recently used bitmaps of a segment, until at least `byteCount` bytes have been freed or none is
    /// left. One segment contains the bitmaps that caching managers want, and another segment contains all other
    /// bitmaps. The caller has called `prepareToEvict` before, which has moved bitmaps in use out of the way.
    private mutating func evict(
        _ byteCount: Int, of segment: Segment, into departed: inout [DepartedRendition]
    ) {
        var rest = byteCount
        while rest > 0, let evicted = recordDeparture(tiers.evictColdest(of: .bitmaps, segment)) {
            rest -= evicted.byteCount
            departed.append(evicted)
        }
    }

    /// Whether an image is in use, so that evicting it would free no memory.
    private func isInUse(_ image: SharedImage) -> Bool {
        image.isHeldByReceivers || onTheWay.contains(image) || imagesBeingRead.contains { $0 === image }
    }
}

// MARK: Invariants

extension RenditionStore {
    /// Throws if the store contradicts itself, or if its marks of wanted renditions differ from `isWanted`.
    ///
    /// - Parameter isWanted: returns whether some caching manager wants a rendition.
    func checkInvariants(isWanted: (RenditionKey) -> Bool) throws(BrokenInvariant) {
        try tiers.checkInvariants()
        for purpose in Set(MemoryTier.allCases.map(\.purpose)) {
            let sharing = MemoryTier.allCases.filter { $0.purpose == purpose }
            try BrokenInvariant.require(
                budget.usedByteCount(for: purpose) == sharing.reduce(0) { $0 + tiers[$1].byteCount },
                "reservations of tiers do not add up")
        }
        // While the budget is exceeded, each cached image must be wanted by a caching manager or in use. Any other
        // image should have been evicted.
        try BrokenInvariant.require(
            budget.shortage(for: 0) == 0
                || MemoryTier.allCases.allSatisfy { tier in
                    tiers[tier].keys(of: .loose).allSatisfy { tiers[tier].peek($0).map(isInUse) ?? true }
                },
            "over the budget for what nobody holds")
        for key in tiers[.bitmaps].keys(of: .held) { try BrokenInvariant.require(isWanted(key), "held by nobody") }
        for key in tiers[.bitmaps].keys(of: .loose) {
            try BrokenInvariant.require(!isWanted(key), "held and yet loose")
        }
    }
}
