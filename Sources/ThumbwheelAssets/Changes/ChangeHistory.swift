/// The last transactions of a library, one entry each.
struct ChangeHistory: Sendable {
    struct Details: Sendable {
        var insertedAssets: [AssetIdentifier] = []
        var updatedAssets: [AssetIdentifier] = []
        var deletedAssets: [AssetIdentifier] = []
        var insertedCollections: [CollectionIdentifier] = []
        var updatedCollections: [CollectionIdentifier] = []
        var deletedCollections: [CollectionIdentifier] = []

        fileprivate var byteCount: Int {
            (insertedAssets.count + updatedAssets.count + deletedAssets.count) * MemoryLayout<AssetIdentifier>.stride
                + (insertedCollections.count + updatedCollections.count + deletedCollections.count)
                * MemoryLayout<CollectionIdentifier>.stride
        }
    }

    struct Entry: Sendable {
        /// Of the snapshot that the transaction made.
        let number: UInt64
        /// Nil for a transaction that was too large to be remembered.
        var details: Details?

        /// Includes the overhead of the arrays.
        fileprivate var byteCount: Int { MemoryLayout<Self>.stride + (details.map { $0.byteCount + 6 * 32 } ?? 0) }
    }

    /// A stretch of the history that one process made: from the snapshot of a number on, to the start of the next. A
    /// library that is loaded begins another: what came after it was saved has not happened to it.
    struct Timeline: Sendable, Equatable {
        let identifier: UInt64
        let start: UInt64
    }

    /// The oldest first, never empty; the last is the one that goes on.
    var timelines = [Timeline(identifier: .random(in: .min ... .max), start: 0)]
    private(set) var entries: [Entry] = []
    /// The sum over all entries.
    private(set) var byteCount = 0

    var currentTimeline: UInt64 { timelines.last?.identifier ?? 0 }

    /// A token of the moment after a transaction; of the last one there may be several, and this is the newest.
    func token(_ number: UInt64) -> ChangeToken {
        let timeline = timelines.last { $0.start < number } ?? timelines[0]
        return ChangeToken(timeline: timeline.identifier, number: number)
    }

    /// Whether a token is of a moment that led to the present one, the snapshot of `number`.
    func contains(_ token: ChangeToken, upTo number: UInt64) -> Bool {
        guard let index = timelines.lastIndex(where: { $0.identifier == token.timeline }) else { return false }
        let end = index + 1 < timelines.count ? timelines[index + 1].start : number
        return timelines[index].start <= token.number && token.number <= end
    }

    mutating func beginTimeline(at number: UInt64) {
        // Tokens of stretches that end before the oldest entry are expired in any case.
        let oldest = number - UInt64(entries.count)
        let kept = timelines.indices.filter { $0 + 1 == timelines.count || timelines[$0 + 1].start >= oldest }
        timelines = kept.suffix(Self.timelineLimit).map { timelines[$0] }
        timelines.append(Timeline(identifier: .random(in: .min ... .max), start: number))
    }

    /// Of a library that is loaded again and again and never changed.
    private static let timelineLimit = 1000

    /// Appends a transaction; without its details if it takes more than `byteLimit` by itself.
    mutating func append(_ entry: Entry, limit: Int, byteLimit: Int) {
        append(entry, byteLimit: byteLimit)
        // Cut now and then and not each time: constant for each transaction on the average.
        if entries.count / 2 >= max(limit, 8) { removeFirst(entries.count - max(limit, 0)) }
    }

    /// The same without a limit on the number of transactions.
    mutating func append(_ entry: Entry, byteLimit: Int) {
        var entry = entry
        if entry.byteCount > byteLimit { entry.details = nil }
        entries.append(entry)
        byteCount += entry.byteCount
        trim(toByteCount: byteLimit)
    }

    /// Forgets the oldest entries once the history exceeds `limit`. It goes an eighth below the limit, so that this
    /// happens seldom.
    mutating func trim(toByteCount limit: Int) {
        guard byteCount > limit else { return }
        var (rest, count) = (byteCount, 0)
        while count < entries.count, rest > limit - limit / 8 {
            rest -= entries[count].byteCount
            count += 1
        }
        removeFirst(count)
    }

    private mutating func removeFirst(_ count: Int) {
        byteCount -= entries.prefix(count).reduce(0) { $0 + $1.byteCount }
        entries.removeFirst(count)
    }
}

extension ChangeHistory.Entry {
    init(_ draft: SnapshotDraft, limit: Int) {
        number = draft.number
        let journal = draft.journal
        let count =
            journal.insertedRows.count + journal.updatedRows.count + journal.expunged.count
            + journal.insertedCollections.count + journal.updatedCollections.count + journal.deletedCollections.count
        guard count <= limit else {
            details = nil
            return
        }
        let change = draft.proposedChange
        let created = Set(change.createdCollections)
        details = ChangeHistory.Details(
            insertedAssets: change.createdAssets.exact, updatedAssets: change.updatedAssets.exact,
            deletedAssets: change.deletedAssets.exact, insertedCollections: change.createdCollections.exact,
            updatedCollections: change.updatedCollections.filter { !created.contains($0) }.exact,
            deletedCollections: change.deletedCollections.exact)
    }

    func seen(by view: AccessView) -> ChangeHistory.Entry {
        guard var details else { return self }
        switch view {
        case .all: return self
        case .nothing: details = ChangeHistory.Details()
        case .limited(let identifiers):
            details.insertedAssets.removeAll { !identifiers.contains($0) }
            details.updatedAssets.removeAll { !identifiers.contains($0) }
            details.deletedAssets.removeAll { !identifiers.contains($0) }
        }
        return ChangeHistory.Entry(number: number, details: details)
    }
}

extension Array {
    /// The same elements without spare room: an array that grew may hold twice the memory that its elements count for.
    fileprivate var exact: [Element] { capacity > count ? map(\.self) : self }
}

extension Snapshot {
    /// The size limit of the history that leads to this snapshot.
    ///
    /// A client whose token has expired reads the library anew. That takes no more than its assets, so a history that is
    /// larger than these saves no client anything.
    ///
    /// - Parameter limit: the limit that the host has set, which is never exceeded.
    func historyByteLimit(_ limit: Int) -> Int {
        min(limit, max(Self.leastHistoryByteLimit, index.count * Chunk.assetByteCount))
    }

    /// A small library keeps at least a thousand small transactions.
    private static let leastHistoryByteLimit = 512 << 10
}
