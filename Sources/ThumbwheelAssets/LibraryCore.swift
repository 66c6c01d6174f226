import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// The state of a library: its present snapshot, its history, and the queue on which transactions run, one at a time.
/// Several `PhotoLibrary` objects can share this state. Each of them is a view of the library: the library as one user
/// may see it.
final class LibraryCore: Sendable {
    struct State {
        var snapshot = Snapshot()
        var history: ChangeHistory
        /// The thread that is running a transaction; nil between transactions.
        var writingThread: ObjectIdentifier?
    }

    let configuration: PhotoLibrary.Configuration
    // The clock is a parameter, so that tests can set the dates that the library records.
    let now: @Sendable () -> Date
    let identity = LibraryIdentity()
    let feed = ChangeFeed()
    let availability = LibraryAvailability()
    // The lock is held only while the state is read or changed, and never while code of the program that uses this
    // library runs.
    private let state: Mutex<State>
    /// A random number that identifies this library object. It becomes part of each `PictureVersion` that the object
    /// gives. A `PictureVersion` identifies one picture of an asset, for example in caches. So no other library object
    /// gives the same version to another picture.
    private let timeline: UInt64
    private let writer = DispatchQueue(label: "thumbwheel.library.transactions")
    /// Runs asynchronous transactions, and work to be done after a transaction, one after another. Each of them waits
    /// for its turn on the queue `writer`, on which synchronous transactions run as well.
    private let asyncWork = SerialWork(on: .transactions)

    init(
        _ configuration: PhotoLibrary.Configuration, now: @escaping @Sendable () -> Date,
        snapshot: Snapshot = Snapshot(),
        history: ChangeHistory = ChangeHistory()
    ) {
        self.configuration = configuration
        self.now = now
        timeline = history.currentTimeline
        state = Mutex(State(snapshot: snapshot, history: history))
    }

    var snapshot: Snapshot { state.withLock { $0.snapshot } }

    func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    // MARK: Transactions, one at a time

    func transactAndWait<Value>(
        _ policy: any AccessPolicy, _ body: (inout LibraryTransaction) throws -> Value
    ) throws -> Value {
        // Refuses a transaction inside another one of the same library, because the inner one would wait for `writer`
        // forever. The two may be nested indirectly: a transaction of library A contains one of library B, which
        // contains another one of library A. All three run on the thread of the outermost transaction, but on different
        // queues. So threads are compared here, not queues.
        guard state.withLock({ $0.writingThread }) != ObjectIdentifier(Thread.current) else {
            throw ChangeError(.nestedTransaction)
        }
        return try writer.sync { try run(policy, body) }
    }

    func transact<Value: Sendable>(
        _ policy: any AccessPolicy, _ body: @escaping @Sendable (inout LibraryTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            asyncWork.run {
                let result = Result { try self.writer.sync { try self.run(policy, body) } }
                continuation.resume(with: result)
            }
        }
    }

    private func run<Value>(
        _ policy: any AccessPolicy, _ body: (inout LibraryTransaction) throws -> Value
    ) throws -> Value {
        if availability.reason != nil || policy.unavailabilityReason != nil { throw ChangeError(.libraryUnavailable) }
        state.withLock { $0.writingThread = ObjectIdentifier(Thread.current) }
        defer { state.withLock { $0.writingThread = nil } }
        // Only transactions publish snapshots, and they run one at a time, on the queue `writer`. So this snapshot
        // stays the present one until this transaction publishes its own.
        let before = snapshot
        let draft = SnapshotDraft(before, timeline: timeline)
        var transaction = LibraryTransaction(draft, policy.access, now())
        let files = transaction.files
        // A transaction moves a file in two steps. Its operations link or copy the file into the new folder, and
        // `finish` removes it from the old folder after the commit. If the transaction fails in between, `takeBack`
        // removes the file from the new folder. After `finish`, `takeBack` does nothing.
        defer { files.takeBack() }
        let value: Value
        do {
            defer { draft.isOpen = false }
            value = try body(&transaction)
        }
        if let refusal = draft.firstError { throw refusal }
        if draft.journal.isEmpty {
            let after = draft.hasNewMarks ? draft.published() : before
            if draft.hasNewMarks { state.withLock { $0.snapshot = after } }
            draft.storeHashesAndDigests(in: after)
            return value
        }
        if let reason = draft.brokenInvariant { throw ChangeError(.inconsistent(reason)) }
        let change = draft.proposedChange
        guard policy.allows(change) else { throw ChangeError(.accessUserDenied) }
        let published = draft.published()
        draft.storeHashesAndDigests(in: published)
        let after = draft.journal.expunged.isEmpty ? published : published.compacted()
        let entry = ChangeHistory.Entry(draft, change, limit: configuration.historyDetailLimit)
        state.withLock { state in
            state.snapshot = after
            state.history.append(
                entry, limit: configuration.historyLimit,
                byteLimit: after.historyByteLimit(configuration.historyByteLimit))
        }
        files.finish()
        if published.rowCount - after.rowCount >= Self.pageReturnThreshold { returnFreePages() }
        feed.publish(LibraryChange(before: before, after: after, library: identity))
        return value
    }
    /// Free memory is returned to the system after a transaction that removes the data of at least this many deleted
    /// assets. For fewer assets, the gain is not worth the time that the allocator takes to search its heap.
    private static let pageReturnThreshold = 8192

    /// Returns free memory to the system after a transaction that has deleted many assets. Otherwise, the allocator
    /// would keep the memory of these assets in the heaps of the threads that ran the transactions. If the program that
    /// uses this library has released lists of these assets, the memory of the lists is returned too.
    private func returnFreePages() {
        // The running transaction still refers to the former snapshots, so their memory is not free yet. Therefore this
        // work first waits until the transaction has left the queue `writer`. The memory is then returned by a thread
        // of `BlockingThreads.reads`. If that were done on `writer`, it would
        // delay the next transaction.
        asyncWork.run { [writer] in
            writer.sync {}
            BlockingThreads.reads.run { AllocatorStatistics().returnFreePages() }
        }
    }
}
