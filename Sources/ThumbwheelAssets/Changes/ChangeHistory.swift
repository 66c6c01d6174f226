/// The history of a library: one entry for each of its most recent transactions.
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
        /// The number of the snapshot that the transaction made.
        let number: UInt64
        /// The objects that the transaction changed; nil if they were too many to be recorded.
        var details: Details?

        /// The memory that the entry takes in bytes, including the overhead of its arrays.
        fileprivate var byteCount: Int { MemoryLayout<Self>.stride + (details.map { $0.byteCount + 6 * 32 } ?? 0) }
    }

    /// The part of the history that one library object made. It begins at the snapshot with the number `start`, at
    /// which the object was made or loaded. It ends where the next timeline begins. A loaded library begins another
    /// timeline, because it lacks the changes made after it was saved.
    struct Timeline: Sendable, Equatable {
        let identifier: UInt64
        let start: UInt64
    }

    /// The timelines, oldest first; there is always at least one. New transactions belong to the last timeline.
    var timelines = [Timeline(identifier: .random(in: .min ... .max), start: 0)]
    private(set) var entries: [Entry] = []
    /// The memory that all entries take, in bytes.
    private(set) var byteCount = 0

    var currentTimeline: UInt64 { timelines.last?.identifier ?? 0 }

    /// The change token for the moment after the transaction with this number. The token names the timeline in which
    /// the transaction took place.
    func token(_ number: UInt64) -> ChangeToken {
        let timeline = timelines.last { $0.start < number } ?? timelines[0]
        return ChangeToken(timeline: timeline.identifier, number: number)
    }

    /// Whether a change token marks a moment in this history. The history ends at the present snapshot, which has the
    /// number `number`.
    func contains(_ token: ChangeToken, upTo number: UInt64) -> Bool {
        guard let index = timelines.lastIndex(where: { $0.identifier == token.timeline }) else { return false }
        let end = index + 1 < timelines.count ? timelines[index + 1].start : number
        return timelines[index].start <= token.number && token.number <= end
    }

    mutating func beginTimeline(at number: UInt64) {
        // If a timeline ends before the oldest entry, all its change tokens have expired. Such timelines are dropped.
        let oldest = number - UInt64(entries.count)
        let kept = timelines.indices.filter { $0 + 1 == timelines.count || timelines[$0 + 1].start >= oldest }
        timelines = kept.suffix(Self.timelineLimit).map { timelines[$0] }
        timelines.append(Timeline(identifier: .random(in: .min ... .max), start: number))
    }

    /// The greatest number of former timelines that are kept. Without this limit, their list would grow in a library
    /// that is loaded again and again and never changed.
    private static let timelineLimit = 1000

    /// Appends a transaction. It keeps the number of transactions near `limit` and the size of the history at most
    /// `byteLimit`.
    mutating func append(_ entry: Entry, limit: Int, byteLimit: Int) {
        append(entry, byteLimit: byteLimit)
        // The history is cut to `limit` entries only when it holds twice as many. Cuts are then so rare that the
        // average cost of each transaction is constant.
        if entries.count / 2 >= max(limit, 8) { removeFirst(entries.count - max(limit, 0)) }
    }

    /// Appends a transaction, without a limit on the number of transactions. If its entry alone takes more than
    /// `byteLimit` bytes, its details are dropped. If all entries together take more, the oldest ones are removed.
    mutating func append(_ entry: Entry, byteLimit: Int) {
        var entry = entry
        if entry.byteCount > byteLimit { entry.details = nil }
        entries.append(entry)
        byteCount += entry.byteCount
        trim(toByteCount: byteLimit)
    }

    /// Removes the oldest entries if the history takes more than `limit` bytes. It then cuts the history to seven
    /// eighths of the limit, so that cuts are rare.
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
    /// The same elements in an array without spare capacity. An array that grew by appending may take twice the memory
    /// that its elements need.
    fileprivate var exact: [Element] { capacity > count ? map(\.self) : self }
}

extension Snapshot {
    /// The size limit, in bytes, of the history that leads to this snapshot.
    ///
    /// A client whose change token has expired reads all assets again, each of about `Chunk.assetByteCount` bytes. A
    /// history larger than that would save the client nothing.
    ///
    /// - Parameter limit: the limit in bytes that the host has set; the result never exceeds it.
    func historyByteLimit(_ limit: Int) -> Int {
        min(limit, max(Self.leastHistoryByteLimit, index.count * Chunk.assetByteCount))
    }

    /// The history of a small library may take this many bytes, unless the host has set a lower limit. This is enough
    /// for at least a thousand small transactions.
    private static let leastHistoryByteLimit = 512 << 10
}
