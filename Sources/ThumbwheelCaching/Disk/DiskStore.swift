import ThumbwheelCore
import ThumbwheelLocks

import struct Synchronization.Atomic

/// A store of values in a folder. They outlive the process, and several processes share them.
///
/// Values lie one behind another in segment files, and a SQLite database is their index. Every value is checked when it is
/// read: a value that comes out is the one that was put in. Reading takes a look-up in the index and one read of a file; writing is behind: `put`
/// only queues, and one thread writes batches.
///
/// The store is bounded in bytes, and gives up its oldest segments first. Values that were read since, or that were very dear
/// to make, are written again when their segment goes. A failure never reaches a caller: the store rests for a while, finds
/// nothing meanwhile, and says why in `statistics`.
public final class DiskStore: Sendable {
    /// The folder, the bound and the queue of a store.
    public struct Configuration: Sendable {
        /// The path of the folder. It is made if there is none.
        public var folder: String
        /// The bytes that the store may take on the disk.
        public var byteLimit: Int
        /// The bytes that may wait to be written. Beyond that, new values are dropped.
        public var queueByteLimit = 16 << 20

        public init(folder: String, byteLimit: Int) {
            (self.folder, self.byteLimit) = (folder, byteLimit)
        }
    }

    private struct State {
        var pending: [StoreBatch.Pending] = []
        /// The keys that wait to be written, so that none is queued twice.
        var queuedKeys: Set<StoreKey> = []
        /// The counts of what was written. Lanes count what was read.
        var statistics = StoreStatistics()
        var health = StoreHealth()
        /// Rises with each failure. Connections from before the failure are not used again, because the index may have been
        /// replaced since.
        var generation = 0
        /// The signals of those who wait until everything queued so far is written.
        var waiters: [TimedSignal] = []
        var isClosed = false
        /// Whether no thread writes: it starts with the first value, and ends when the store is closed.
        var hasEnded = true

        /// Whether the index has turned out to be damaged, so that the next connection begins with a new one.
        var needsNewIndex = false

        mutating func noteFailure(_ error: StoreError, at now: MonotonicTime) {
            health.noteFailure(error, at: now)
            generation += 1
            if case .damagedIndex = error { needsNewIndex = true }
        }
    }

    private final class Connection {
        let writer: StoreWriter
        let generation: Int

        init(_ writer: StoreWriter, generation: Int) {
            (self.writer, self.generation) = (writer, generation)
        }
    }

    let configuration: Configuration
    private let clock: @Sendable () -> MonotonicTime
    /// The folder, once it has been opened; nil again after the end.
    private let folder = Mutex<StoreFolder?>(nil)
    let segments: SegmentFolder
    private let state = Mutex(State())
    private let lanes = (0..<8).map { _ in StoreLane() }
    /// Whether the store is not to be used as usual: after a failure, or because it is closed. Look-ups then ask `state`.
    private let isTroubled = Atomic(false)
    private let alarm = Mutex<AlarmClock.Alarm?>(nil)
    /// Whether the alarm is set that lets idle lanes see the latest state of the index again.
    private let isAlarmSet = Atomic(false)
    private let arrival = TimedSignal()
    private let ending = TimedSignal()

    /// The look-ups of a lane between two searches for files that other processes have deleted.
    private static let lookUpsBetweenChecks = 1_024
    private static let batchByteCount = 4 << 20
    private static let batchCount = 512

    /// Makes a store. Its folder is opened, or made, when the first value is looked up or written.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, access: StoreFileAccess())
    }

    /// - Parameter clock: tells the time, by which the store rests after a failure.
    package init(
        _ configuration: Configuration, access: StoreFileAccess,
        clock: @escaping @Sendable () -> MonotonicTime = { .now }
    ) {
        self.configuration = configuration
        self.clock = clock
        segments = SegmentFolder(path: configuration.folder, access: access)
        // The alarm clock's thread must not wait for a disk.
        alarm.withLock {
            $0 = AlarmClock.shared.alarm { [weak self] in
                BlockingThreads.reads.run { [weak self] in self?.endIdleReads() }
            }
        }
    }

    /// Opens the folder, and makes it if there is none. A store that cannot be opened now is tried again later by itself; this
    /// function is for those who want to know at once.
    ///
    /// - Throws: `StoreError` if the folder cannot be used, or if a later version of the library has written it.
    @available(*, noasync, message: "it waits for the disk")
    public func open() throws(StoreError) {
        _ = try openIndex()
    }

    /// Opens a connection to the index. A damaged index is replaced by an empty one, if no other process uses the store.
    func openIndex() throws(StoreError) -> StoreIndex {
        let folder = try folder.withLock { present throws(StoreError) -> StoreFolder in
            if let present { return present }
            let opened = try StoreFolder(path: configuration.folder)
            present = opened
            return opened
        }
        do throws(StoreError) {
            // Damage inside of the index shows only when the damaged part is read.
            if state.withLock({ $0.needsNewIndex }) { throw .damagedIndex(code: 0) }
            return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount)
        } catch .damagedIndex {
            try folder.deleteIndex()
            for number in segments.numbers { segments.delete(number) }
            state.withLock { $0.needsNewIndex = false }
            return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount)
        }
    }

    /// The pages of SQLite's log, which must not take the store beyond its bound by more than a hundredth.
    private var logPageCount: Int {
        min(max(configuration.byteLimit / 100 / 4_096, 16), 1_000)
    }

    // MARK: Reading

    /// The value of a key; nil if the store has none. It may wait for the disk.
    @available(*, noasync, message: "it may wait for the disk")
    public func value(for key: StoreKey) -> StoredValue? {
        guard isUsable() else {
            lanes[0].state.withLock { $0.counts.misses += 1 }
            return nil
        }
        let first = StoreLane.first(of: lanes.count)
        for offset in lanes.indices {
            let lane = lanes[(first + offset) % lanes.count]
            if let value = lane.state.withLockIfAvailable({ value(for: key, in: &$0) }) { return value }
        }
        return lanes[first].state.withLock { value(for: key, in: &$0) }
    }

    private func isUsable() -> Bool {
        guard isTroubled.load(ordering: .relaxed) else { return true }
        return state.withLock { !$0.isClosed && $0.health.isUsable(at: clock()) }
    }

    private func value(for key: StoreKey, in lane: inout StoreLane.State) -> StoredValue? {
        do throws(StoreError) {
            let answer = try reader(of: &lane).lookUp(key, at: .now)
            noteSuccess()
            return take(answer, of: key, in: &lane)
        } catch {
            lane.counts.misses += 1
            lane.reader = nil
            note(error)
            return nil
        }
    }

    private func reader(of lane: inout StoreLane.State) throws(StoreError) -> StoreReader {
        if let reader = lane.reader {
            guard isTroubled.load(ordering: .relaxed) else { return reader }
            if lane.generation == state.withLock({ $0.generation }) { return reader }
        }
        lane.generation = state.withLock { $0.generation }
        let reader = StoreReader(try openIndex(), segments)
        lane.reader = reader
        return reader
    }

    private func take(_ answer: StoreReader.Answer, of key: StoreKey, in lane: inout StoreLane.State) -> StoredValue? {
        endReadsLater()
        let count = lane.counts.hits + lane.counts.misses
        if count % Self.lookUpsBetweenChecks == 0 { segments.closeDeleted() }
        switch answer {
        case .found(let found):
            lane.counts.hits += 1
            if !found.entry.isUsed, lane.used.insert(key).inserted, lane.used.count == StoreLane.usedLimit {
                wakeWriter()
            }
            return found.value
        case .missing:
            lane.counts.misses += 1
            return nil
        case .damaged(let entry):
            lane.counts.misses += 1
            lane.counts.damaged += 1
            lane.damaged.append((key, entry))
            wakeWriter()
            return nil
        }
    }

    private func note(_ error: StoreError) {
        state.withLock { $0.noteFailure(error, at: clock()) }
        isTroubled.store(true, ordering: .relaxed)
    }

    private func noteSuccess() {
        guard isTroubled.load(ordering: .relaxed) else { return }
        let isWell = state.withLock { state in
            state.health.noteSuccess()
            // Lanes from before the failure have connections to give up. So the flag stays, which costs them a look at `state`.
            return state.generation == 0 && !state.isClosed
        }
        if isWell { isTroubled.store(false, ordering: .relaxed) }
    }

    private static let idleTime = Duration.milliseconds(50)

    /// Sets the alarm after which idle lanes do not hold SQLite's log up any more.
    private func endReadsLater() {
        guard !isAlarmSet.load(ordering: .relaxed), !isAlarmSet.exchange(true, ordering: .acquiringAndReleasing) else {
            return
        }
        alarm.withLock { $0 }?.set(at: .now.advanced(by: Self.idleTime))
    }

    private func endIdleReads() {
        isAlarmSet.store(false, ordering: .releasing)
        for lane in lanes {
            lane.state.withLock { lane in
                if (try? lane.reader?.endReading()) == nil { lane.reader = nil }
            }
        }
    }

    // MARK: Writing

    /// Queues a value to be written. It never waits.
    ///
    /// - Parameters:
    ///   - byteCount: the bytes that the value takes while it waits.
    ///   - make: makes the value, on the thread that writes; nil if there is nothing to write after all.
    /// - Returns: whether the value was queued. It was not if it waits already, if too much waits, or if the store rests.
    @discardableResult
    public func put(_ key: StoreKey, byteCount: Int, make: @escaping @Sendable () -> StoredValue?) -> Bool {
        let isQueued = state.withLock { state in
            guard !state.isClosed, !state.queuedKeys.contains(key) else { return false }
            guard state.health.isUsable(at: clock()),
                state.statistics.queuedByteCount + byteCount <= configuration.queueByteLimit
            else {
                state.statistics.drops += 1
                return false
            }
            state.queuedKeys.insert(key)
            state.statistics.queuedByteCount += byteCount
            state.pending.append(StoreBatch.Pending(key: key, byteCount: byteCount, make: make))
            return true
        }
        if isQueued { wakeWriter() }
        return isQueued
    }

    /// Wakes the thread that writes, and starts it if there is none yet.
    private func wakeWriter() {
        let isFirst = state.withLock { state in
            guard state.hasEnded, !state.isClosed else { return false }
            state.hasEnded = false
            return true
        }
        if isFirst, !DetachedThread.start(named: "thumbwheel-store", { [self] in writeBehind() }) {
            // The system has no thread to give. The values wait until a later one starts the thread.
            state.withLock { $0.hasEnded = true }
        }
        arrival.raise()
    }

    /// Queues a value to be written.
    @discardableResult
    public func put(_ value: StoredValue, for key: StoreKey) -> Bool {
        put(key, byteCount: value.bytes.count) { value }
    }

    /// Waits until everything queued so far is written or dropped.
    @available(*, noasync, message: "it waits for the disk")
    public func flush() {
        let written = TimedSignal()
        let hasThread = state.withLock { state in
            if !state.hasEnded { state.waiters.append(written) }
            return !state.hasEnded
        }
        if hasThread {
            arrival.raise()
            written.wait()
        } else {
            writeFirstUses()
        }
        // Look-ups from now on see what has been written.
        endIdleReads()
    }

    /// Writes what is queued, and ends the store's thread. The store then finds nothing and takes nothing.
    @available(*, noasync, message: "it waits for the disk")
    public func close() {
        isTroubled.store(true, ordering: .relaxed)
        let hasThread = state.withLock { state in
            state.isClosed = true
            return !state.hasEnded
        }
        if hasThread {
            arrival.raise()
            ending.wait()
            // Others that close the store wait for the same end.
            ending.raise()
        } else {
            writeFirstUses()
        }
        for lane in lanes { lane.state.withLock { $0.reader = nil } }
        folder.withLock { $0 = nil }
    }

    /// Writes down which values have been read, in a process that writes no values.
    private func writeFirstUses() {
        var batch = StoreBatch()
        takeUses(into: &batch)
        var connection: Connection?
        if !batch.isEmpty { write(batch, with: &connection) }
    }

    private func takeUses(into batch: inout StoreBatch) {
        for lane in lanes {
            lane.state.withLock { lane in
                batch.used += lane.used
                batch.damaged += lane.damaged
                (lane.used, lane.damaged) = ([], [])
            }
        }
    }

    public var statistics: StoreStatistics {
        var statistics = state.withLock { state in
            var statistics = state.statistics
            statistics.failure = state.health.failure
            return statistics
        }
        // A look-up takes the lock of `state` while it holds the lock of its lane. So no lane's lock is taken under that of
        // `state`: two threads would wait for each other.
        for lane in lanes {
            let counts = lane.state.withLock { $0.counts }
            statistics.hits += counts.hits
            statistics.misses += counts.misses
            statistics.damaged += counts.damaged
        }
        return statistics
    }

    // MARK: The thread that writes

    private func writeBehind() {
        WritingPriority.apply()
        var connection: Connection?
        while true {
            let (batch, waiters, isToEnd) = takeBatch()
            if !batch.isEmpty { write(batch, with: &connection) }
            for waiter in waiters { waiter.raise() }
            if isToEnd { break }
            if batch.isEmpty, waiters.isEmpty { arrival.wait() }
        }
        connection = nil
        ending.raise()
    }

    /// Takes what is to be written next, and those who wait for it if nothing else is queued.
    private func takeBatch() -> (StoreBatch, [TimedSignal], isToEnd: Bool) {
        var batch = StoreBatch()
        takeUses(into: &batch)
        let (pending, waiters, isToEnd) = state.withLock { state in
            var byteCount = 0
            var count = 0
            while count < state.pending.count, count < Self.batchCount, byteCount < Self.batchByteCount {
                byteCount += state.pending[count].byteCount
                count += 1
            }
            let pending = Array(state.pending[..<count])
            state.pending.removeFirst(count)
            guard state.pending.isEmpty else {
                return (pending, [], false) as ([StoreBatch.Pending], [TimedSignal], Bool)
            }
            defer { state.waiters = [] }
            state.hasEnded = state.isClosed
            return (pending, state.waiters, state.isClosed)
        }
        batch.pending = pending
        return (batch, waiters, isToEnd)
    }

    private func write(_ batch: StoreBatch, with connection: inout Connection?) {
        let generation = state.withLock { $0.generation }
        if connection?.generation != generation { connection = nil }
        var report = StoreWriter.Report()
        var failure: StoreError?
        do throws(StoreError) {
            if connection == nil { connection = try connect(generation) }
            if let connection { report = try connection.writer.write(batch) }
        } catch {
            failure = error
        }
        state.withLock { state in
            for pending in batch.pending {
                state.queuedKeys.remove(pending.key)
                state.statistics.queuedByteCount -= pending.byteCount
            }
            if let failure {
                state.statistics.drops += batch.pending.count
                state.noteFailure(failure, at: clock())
                isTroubled.store(true, ordering: .relaxed)
            } else {
                state.health.noteSuccess()
                state.statistics.writes += report.writtenCount
                state.statistics.evictions += report.evictedCount
                state.statistics.byteCount = report.byteCount
            }
        }
    }

    private func connect(_ generation: Int) throws(StoreError) -> Connection {
        let index = try openIndex()
        return Connection(
            StoreWriter(index, segments, byteLimit: configuration.byteLimit), generation: generation)
    }
}
