import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// The state that all views of a library share: its present snapshot, its history, and the one queue that transactions
/// run on.
final class LibraryCore: Sendable {
    struct State {
        var snapshot = Snapshot()
        var history: ChangeHistory
        /// The thread that runs a transaction at present; nil between transactions.
        var writingThread: ObjectIdentifier?
    }

    let configuration: PhotoLibrary.Configuration
    // The clock is a parameter so that tests can set the dates that the library records.
    let now: @Sendable () -> Date
    let identity = LibraryIdentity()
    let feed = ChangeFeed()
    let availability = LibraryAvailability()
    // The lock is held only while the state is read or changed, and never while user code runs.
    private let state: Mutex<State>
    /// The timeline in the versions of all pictures that this library object's transactions add. No other library
    /// object uses the same timeline.
    private let timeline: UInt64
    private let writer = DispatchQueue(label: "thumbwheel.library.transactions")

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
        // A transaction begun inside another would wait for itself on the queue. The check compares threads, not
        // queues: a transaction of another library, on that library's queue, may run between the two.
        guard state.withLock({ $0.writingThread }) != ObjectIdentifier(Thread.current) else {
            throw ChangeError(.nestedTransaction)
        }
        return try writer.sync { try run(policy, body) }
    }

    func transact<Value: Sendable>(
        _ policy: any AccessPolicy, _ body: @escaping @Sendable (inout LibraryTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            writer.async {
                let result = Result { try self.run(policy, body) }
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
        // Only transactions on this queue publish snapshots, and they run one at a time. So this snapshot stays the
        // present one until the transaction ends.
        let before = snapshot
        let draft = SnapshotDraft(before, timeline: timeline)
        var transaction = LibraryTransaction(draft, policy.access, now())
        let files = transaction.files
        // If the transaction fails, removes the moved files from their new places; after a commit, this does nothing.
        defer { files.takeBack() }
        let value: Value
        do {
            defer { draft.isOpen = false }
            value = try body(&transaction)
        }
        if let refusal = draft.firstError { throw refusal }
        if draft.journal.isEmpty {
            let after = draft.hasLearned ? draft.published() : before
            if draft.hasLearned { state.withLock { $0.snapshot = after } }
            draft.keepHashes(in: after)
            return value
        }
        if let reason = draft.brokenInvariant { throw ChangeError(.inconsistent(reason)) }
        guard policy.allows(draft.proposedChange) else { throw ChangeError(.accessUserDenied) }
        let published = draft.published()
        draft.keepHashes(in: published)
        let after = draft.journal.expunged.isEmpty ? published : published.compacted()
        let entry = ChangeHistory.Entry(draft, limit: configuration.historyDetailLimit)
        state.withLock { state in
            state.snapshot = after
            state.history.append(
                entry, limit: configuration.historyLimit,
                byteLimit: after.historyByteLimit(configuration.historyByteLimit))
        }
        files.finish()
        if published.rowCount - after.rowCount >= Self.returnedRowCount { returnFreePages() }
        feed.publish(LibraryChange(before: before, after: after, library: identity))
        return value
    }
    /// If compacting removes fewer rows than this, their memory is not given back to the system. Giving it back costs a
    /// walk through the heap.
    private static let returnedRowCount = 8192

    /// Gives the memory of many deleted assets back to the system. Otherwise, the allocator would keep it in the heap
    /// of each thread that ran transactions. The same holds for the memory of the host's own batch of assets.
    private func returnFreePages() {
        // The transaction holds the former snapshots until it ends, so memory is given back only after it. This runs on
        // another thread, so that it delays no other transaction.
        writer.async { BlockingThreads.reads.run { AllocatorStatistics().returnFreePages() } }
    }
}
