/// The history of a library: one entry for each of its latest transactions.
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
        /// The number of the snapshot (the state of the library) that the transaction made.
        let number: UInt64
        /// The objects that the transaction changed; nil if there were too many to record.
        var details: Details?

        /// The memory that the entry uses, in bytes, including the overhead of its arrays.
        fileprivate var byteCount: Int { MemoryLayout<Self>.stride + (details.map { $0.byteCount + 6 * 32 } ?? 0) }
    }

    /// The part of the history that was made by one library object. It starts at the snapshot with the number `start`,
    /// when the object was made or loaded from a file, and ends where the next timeline starts. A library that is
    /// loaded from a file starts a new timeline, because the library object that saved the file may have made further
    /// changes after that. These changes may have the same numbers as changes of the loaded library, so only the
    /// timeline tells them apart.
    struct Timeline: Sendable, Equatable {
        let identifier: UInt64
        let start: UInt64
    }

    /// The timelines (parts of the history, each made by one library object), oldest first. There is always at least
    /// one. New transactions belong to the last timeline.
    var timelines = [Timeline(identifier: .random(in: .min ... .max), start: 0)]
    private(set) var entries: [Entry] = []
    /// The memory that all entries use, in bytes.
    private(set) var byteCount = 0

    var currentTimeline: UInt64 { timelines.last?.identifier ?? 0 }

    /// Returns the change token for the moment after the transaction with this number. The token names the timeline
    /// (the part of the history made by one library object) to which the transaction belongs.
    func token(_ number: UInt64) -> ChangeToken {
        let timeline = timelines.last { $0.start < number } ?? timelines[0]
        return ChangeToken(timeline: timeline.identifier, number: number)
    }

    /// Returns whether a change token names a moment in this history. `number` is the number of the present snapshot,
    /// with which the history ends.
    func contains(_ token: ChangeToken, upTo number: UInt64) -> Bool {
        guard let index = timelines.lastIndex(where: { $0.identifier == token.timeline }) else { return false }
        let end = index + 1 < timelines.count ? timelines[index + 1].start : number
        return timelines[index].start <= token.number && token.number <= end
    }

    mutating func beginTimeline(at number: UInt64) {
        // A timeline is the part of the history that one library object has made. If it ended before the oldest entry,
        // all its change tokens have expired, and it is removed.
        let oldest = number - UInt64(entries.count)
        let kept = timelines.indices.filter { $0 + 1 == timelines.count || timelines[$0 + 1].start >= oldest }
        timelines = kept.suffix(Self.timelineLimit).map { timelines[$0] }
        timelines.append(Timeline(identifier: .random(in: .min ... .max), start: number))
    }

    /// The greatest number of old timelines that are kept when a new one begins. Each load of a library begins a
    /// timeline, so without this limit the list would grow in a library that is loaded often and never changed.
    private static let timelineLimit = 1000

    /// Appends a transaction. Old transactions are removed, so that the history has fewer than `2 * max(limit, 8)`
    /// transactions and takes at most `byteLimit` bytes.
    mutating func append(_ entry: Entry, limit: Int, byteLimit: Int) {
        append(entry, byteLimit: byteLimit)
        // Entries are removed only when there are twice as many as `limit` (or 16, if `limit` is below 8), and then
        // down to `limit`. Removals are so rare that the average cost of a transaction is constant.
        if entries.count / 2 >= max(limit, 8) { removeFirst(entries.count - max(limit, 0)) }
    }

    /// Appends a transaction, and then removes the oldest transactions if all together take more than `byteLimit`
    /// bytes. A transaction that alone takes more than `byteLimit` bytes is stored without details. This method does
    /// not limit the number of transactions.
    mutating func append(_ entry: Entry, byteLimit: Int) {
        var entry = entry
        if entry.byteCount > byteLimit { entry.details = nil }
        entries.append(entry)
        byteCount += entry.byteCount
        trim(toByteCount: byteLimit)
    }

    /// Removes the oldest entries if the history takes more than `limit` bytes. The history is then reduced to seven
    /// eighths of the limit, so that this happens rarely.
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
    /// - Parameter change: the changes of the draft.
    init(_ draft: SnapshotDraft, _ change: ProposedChange, limit: Int) {
        number = draft.number
        let journal = draft.journal
        let count =
            journal.insertedRows.count + journal.updatedRows.count + journal.expunged.count
            + journal.insertedCollections.count + journal.updatedCollections.count + journal.deletedCollections.count
        guard count <= limit else {
            details = nil
            return
        }
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
    /// The same elements in an array without spare capacity. An array that grew by appending may use twice the memory
    /// of its elements.
    fileprivate var exact: [Element] { capacity > count ? map(\.self) : self }
}

extension Snapshot {
    /// Returns the greatest size, in bytes, that the history may have at this snapshot. This is the size of all assets
    /// together, about `Chunk.assetByteCount` bytes for each asset, but at least `minimumHistoryByteLimit`, and never
    /// more than `limit`.
    ///
    /// A program whose change token has expired reads all assets again. If the history were larger than the assets,
    /// reading the history would cost such a program more than reading all assets.
    ///
    /// - Parameter limit: the greatest size that the program using this library has set, in bytes.
    func historyByteLimit(_ limit: Int) -> Int {
        min(limit, max(Self.minimumHistoryByteLimit, index.count * Chunk.assetByteCount))
    }

    /// The size limit, in bytes, of the history of a small library. If the program using this library has set a lower
    /// limit, the lower limit applies. This many bytes are enough for at least a thousand small transactions.
    private static let minimumHistoryByteLimit = 512 << 10
}
