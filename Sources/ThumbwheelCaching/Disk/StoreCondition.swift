import ThumbwheelCore
import ThumbwheelLocks

import struct Synchronization.Atomic

/// Whether a store can be read and written at the moment, and which connections to its index may be used again.
final class StoreCondition: Sendable {
    private struct State {
        /// Whether values can be read.
        var reading = StoreHealth()
        /// Whether values can be written. On a disk that is full they can still be read.
        var writing = StoreHealth()
        /// The number of failures and of new indexes so far. A connection that was opened before the latest of them is
        /// not used again, because the index may have been replaced since.
        var generation = 0
        var isClosed = false

        mutating func noteReadingFailure(_ error: StoreError, at now: MonotonicTime) {
            reading.noteFailure(error, at: now)
            generation += 1
        }
    }

    private let clock: @Sendable () -> MonotonicTime
    private let state = Mutex(State())
    /// Whether the store has failed, has got a new index or is closed. Only then does a look-up lock `state`, to ask
    /// whether the store may be used. The mark stays for good: after a failure each lane has to find out that its old
    /// connection must be closed, and a closed store stays closed.
    private let hasFailedOrClosed = Atomic(false)

    /// - Parameter clock: tells the time, which decides when the store is tried again after a failure.
    init(clock: @escaping @Sendable () -> MonotonicTime) { self.clock = clock }

    /// Why values cannot be read or written; nil if both are possible.
    var failure: StoreError? { state.withLock { $0.reading.failure ?? $0.writing.failure } }

    var generation: Int { state.withLock { $0.generation } }

    /// Whether a connection of the generation `generation` may be used again.
    func isCurrent(_ generation: Int) -> Bool {
        !hasFailedOrClosed.load(ordering: .relaxed) || generation == self.generation
    }

    /// Notes that another index has taken the place of the present one. Connections that are open are not used again.
    func noteNewIndex() {
        state.withLock { $0.generation += 1 }
        hasFailedOrClosed.store(true, ordering: .relaxed)
    }

    /// Ends all reading for good.
    func close() {
        state.withLock { $0.isClosed = true }
        hasFailedOrClosed.store(true, ordering: .relaxed)
    }

    // MARK: Reading

    var isReadable: Bool {
        guard hasFailedOrClosed.load(ordering: .relaxed) else { return true }
        return state.withLock { !$0.isClosed && $0.reading.isUsable(at: clock()) }
    }

    func noteReadingFailure(_ error: StoreError) {
        // A look-up that was overtaken by `close` tells nothing of the disk.
        guard error != .closed else { return }
        state.withLock { $0.noteReadingFailure(error, at: clock()) }
        hasFailedOrClosed.store(true, ordering: .relaxed)
    }

    func noteReadingSuccess() {
        guard hasFailedOrClosed.load(ordering: .relaxed) else { return }
        state.withLock { $0.reading.noteSuccess() }
    }

    // MARK: Writing

    /// Whether values can be written. They cannot where none can be read.
    var isWritable: Bool {
        state.withLock { $0.reading.isUsable(at: clock()) && $0.writing.isUsable(at: clock()) }
    }

    func noteWritingFailure(_ error: StoreError) {
        guard error != .closed else { return }
        let isUnreadable = state.withLock { state in
            state.writing.noteFailure(error, at: clock())
            // The index is the same for those who read.
            if case .damagedIndex = error { state.noteReadingFailure(error, at: clock()) }
            return state.reading.failure != nil
        }
        if isUnreadable { hasFailedOrClosed.store(true, ordering: .relaxed) }
    }

    /// Notes that a batch has been written.
    ///
    /// - Parameter hasValues: whether it had values. Only these show that a full disk has room again; any transaction shows
    ///   that nobody holds the index.
    func noteWritingSuccess(hasValues: Bool) {
        state.withLock { state in
            guard hasValues || state.writing.failure == .busy else { return }
            state.writing.noteSuccess()
            // A new index has taken the place of the damaged one.
            if case .damagedIndex? = state.reading.failure { state.reading.noteSuccess() }
        }
    }
}
