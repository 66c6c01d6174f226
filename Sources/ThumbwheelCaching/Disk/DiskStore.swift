import ThumbwheelCore
import ThumbwheelLocks

import struct Synchronization.Atomic

/// A persistent store of values in a folder, which several processes can share.
///
/// Values are appended to segment files, and a SQLite database is their index. Reading a value takes a look-up in the
/// index and one read of a file. A checksum is tested at each read, so a damaged value is never returned. `put` only
/// queues a value; a thread of the store writes queued values in batches.
///
/// The store has a byte limit. To stay below it, the store deletes the segment that nobody has read for the longest time.
/// Before, it copies values that are worth keeping to the newest segment: those that took long to make, and those that have
/// been read while most others of the segment have not. A failure of
/// the disk or the index is never reported to a caller of `value` or `put`. Instead the store finds nothing, or takes
/// nothing, for a while, and `statistics` tells the reason. A disk that is full is still read.
public final class DiskStore: Sendable {
    /// The folder and the limits of a store.
    public struct Configuration: Sendable {
        /// The path of the folder, which is made if it does not exist.
        public var folder: String
        /// The bytes that the store may take on the disk.
        public var byteLimit: Int
        /// The bytes of values that may wait to be written. When more are waiting, new values are dropped.
        public var queueByteLimit = 16 << 20

        public init(folder: String, byteLimit: Int) {
            (self.folder, self.byteLimit) = (folder, byteLimit)
        }
    }

    private struct State {
        var pending: [StoreBatch.Pending] = []
        /// The keys of values that wait to be written, so that no value is queued twice.
        var queuedKeys: Set<StoreKey> = []
        /// The counts of writes. The lanes (`StoreLane`) count reads.
        var statistics = StoreStatistics()
        /// Whether values can be read.
        var health = StoreHealth()
        /// Whether values can be written. On a disk that is full they can still be read.
        var writing = StoreHealth()
        /// The number of failures so far. A connection that was opened before the latest failure is not used again,
        /// because the index may have been replaced since.
        var generation = 0
        /// Signals to raise when all values that are queued now have been written.
        var waiters: [TimedSignal] = []
        var isClosed = false
        /// Whether no writing thread runs, or its last batch has been taken. A thread is started for the first value, or by `close`,
        /// and ends when the store is closed.
        var hasEnded = true
        /// Whether a writing thread has ever been started. It may still write its last batch when `hasEnded` is set again.
        var hasStarted = false

        /// Whether the index was found to be damaged. The next connection then replaces it by an empty one.
        var needsNewIndex = false

        mutating func noteFailure(_ error: StoreError, at now: MonotonicTime) {
            health.noteFailure(error, at: now)
            generation += 1
            if case .damagedIndex = error { needsNewIndex = true }
        }

        mutating func noteWritingFailure(_ error: StoreError, at now: MonotonicTime) {
            writing.noteFailure(error, at: now)
            // The index is the same for those who read.
            if case .damagedIndex = error { noteFailure(error, at: now) }
        }

        mutating func noteWritingSuccess() {
            writing.noteSuccess()
            // A new index has taken the place of the damaged one.
            if case .damagedIndex? = health.failure { health.noteSuccess() }
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
    private let closingTime: Duration
    /// The open folder; nil before it is first used and after `close`.
    private let folder = Mutex<StoreFolder?>(nil)
    let segments: SegmentFolder
    private let state = Mutex(State())
    private let lanes = (0..<8).map { _ in StoreLane() }
    /// Whether the store has failed or is closed. Only then does a look-up lock `state`, to ask whether the store may
    /// be used.
    private let hasFailedOrClosed = Atomic(false)
    private let alarm = Mutex<AlarmClock.Alarm?>(nil)
    /// Whether an alarm is set for `endIdleReads`.
    private let isAlarmSet = Atomic(false)
    private let arrival = TimedSignal()
    private let ending = TimedSignal()

    /// The number of look-ups in one lane after which files that other processes have deleted are closed.
    private static let lookUpsBetweenChecks = 1_024
    private static let batchByteCount = 4 << 20
    private static let batchCount = 512

    /// Makes a store. Its folder is opened or made when the first value is looked up or written.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, access: StoreFileAccess())
    }

    /// - Parameters:
    ///   - clock: tells the time, which decides when the store is tried again after a failure.
    ///   - closingTime: the longest time that `close` waits for the disk.
    package init(
        _ configuration: Configuration, access: StoreFileAccess, closingTime: Duration = .seconds(10),
        clock: @escaping @Sendable () -> MonotonicTime = { .now }
    ) {
        self.closingTime = closingTime
        self.configuration = configuration
        self.clock = clock
        segments = SegmentFolder(path: configuration.folder, access: access)
        // `endIdleReads` may wait for the disk where it closes a connection, and the alarm clock's thread must not.
        alarm.withLock {
            $0 = AlarmClock.shared.alarm { [weak self] in
                BlockingThreads.reads.run { [weak self] in self?.endIdleReads() }
            }
        }
    }

    /// Opens the folder, and makes it if it does not exist. Calling this is optional, and tells at once whether the
    /// store can be used. Without it, the store opens its folder at the first use, and tries again after a failure.
    ///
    /// - Throws: `StoreError` if the folder cannot be used, or if a later version of the library has written it.
    @available(*, noasync, message: "it waits for the disk")
    public func open() throws(StoreError) {
        _ = try openIndex()
    }

    /// Opens a connection to the index. If the index is damaged and no other process uses the store, an empty index
    /// replaces it.
    func openIndex() throws(StoreError) -> StoreIndex {
        let folder = try folder.withLock { present throws(StoreError) -> StoreFolder in
            if let present { return present }
            let opened = try StoreFolder(path: configuration.folder)
            present = opened
            return opened
        }
        do throws(StoreError) {
            // SQLite finds damage inside the index only when it reads the damaged page, long after opening the file.
            if state.withLock({ $0.needsNewIndex }) { throw .damagedIndex(code: 0) }
            return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount)
        } catch .damagedIndex {
            try folder.deleteIndex()
            for number in segments.numbers { segments.delete(number) }
            state.withLock { $0.needsNewIndex = false }
            return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount)
        }
    }

    /// The number of pages at which SQLite's write-ahead log is copied into the database, so that the log takes about a
    /// hundredth of the byte limit.
    private var logPageCount: Int {
        min(max(configuration.byteLimit / 100 / 4_096, 16), 1_000)
    }

    private var segmentByteCount: Int { StoreRules.segmentByteCount(byteLimit: configuration.byteLimit) }

    // MARK: Reading

    /// The value of a key; nil if the store has none or cannot be used. May wait for the disk.
    @available(*, noasync, message: "it may wait for the disk")
    public func value(for key: StoreKey) -> StoredValue? {
        guard isUsable() else {
            lanes[0].notes.withLock { $0.counts.misses += 1 }
            return nil
        }
        let first = StoreLane.first(of: lanes.count)
        for offset in lanes.indices {
            let lane = lanes[(first + offset) % lanes.count]
            if let value = lane.state.withLockIfAvailable({ value(for: key, in: lane, &$0) }) { return value }
        }
        let lane = lanes[first]
        return lane.state.withLock { value(for: key, in: lane, &$0) }
    }

    private func isUsable() -> Bool {
        guard hasFailedOrClosed.load(ordering: .relaxed) else { return true }
        return state.withLock { !$0.isClosed && $0.health.isUsable(at: clock()) }
    }

    private func value(for key: StoreKey, in lane: StoreLane, _ state: inout StoreLane.State) -> StoredValue? {
        do throws(StoreError) {
            let now = MonotonicTime.now
            let answer = try reader(of: &state).lookUp(key, at: now)
            noteSuccess()
            endReadsLater()
            return take(answer, of: key, in: lane, at: now)
        } catch {
            lane.notes.withLock { $0.counts.misses += 1 }
            state.reader = nil
            note(error)
            return nil
        }
    }

    private func reader(of lane: inout StoreLane.State) throws(StoreError) -> StoreReader {
        if let reader = lane.reader {
            guard hasFailedOrClosed.load(ordering: .relaxed) else { return reader }
            if lane.generation == state.withLock({ $0.generation }) { return reader }
        }
        lane.generation = state.withLock { $0.generation }
        let reader = StoreReader(try openIndex(), segments)
        lane.reader = reader
        return reader
    }

    private func take(
        _ answer: StoreReader.Answer, of key: StoreKey, in lane: StoreLane, at now: MonotonicTime
    ) -> StoredValue? {
        let (count, wakes) = lane.notes.withLock { notes in
            let wakes = note(answer, of: key, in: &notes, at: now)
            return (notes.counts.hits + notes.counts.misses, wakes)
        }
        if count % Self.lookUpsBetweenChecks == 0 { segments.closeDeleted() }
        if wakes { wakeWriter() }
        guard case .found(let found) = answer else { return nil }
        return found.value
    }

    /// Counts an answer.
    ///
    /// - Returns: whether the writing thread has something to write to the index.
    private func note(
        _ answer: StoreReader.Answer, of key: StoreKey, in notes: inout StoreLane.Notes, at now: MonotonicTime
    ) -> Bool {
        switch answer {
        case .found(let found):
            notes.counts.hits += 1
            notes.counts.hitByteCount += found.value.bytes.count
            notes.counts.savedMicroseconds += Int(found.value.cost)
            let byteCount = SegmentRecord.byteCount + found.entry.length
            notes.reads[found.entry.segment, default: SegmentReads()].note(byteCount, at: now)
            let segmentCount = notes.readByteCount / segmentByteCount
            notes.readByteCount += byteCount
            let isMuchRead = notes.readByteCount / segmentByteCount > segmentCount
            let isMuchUsed =
                !found.entry.isUsed && notes.used.insert(key).inserted && notes.used.count == StoreLane.usedLimit
            return isMuchRead || isMuchUsed
        case .missing:
            notes.counts.misses += 1
            return false
        case .damaged(let entry):
            notes.counts.misses += 1
            notes.counts.damaged += 1
            notes.damaged.append((key, entry))
            return true
        }
    }

    private func note(_ error: StoreError) {
        state.withLock { $0.noteFailure(error, at: clock()) }
        hasFailedOrClosed.store(true, ordering: .relaxed)
    }

    private func noteSuccess() {
        guard hasFailedOrClosed.load(ordering: .relaxed) else { return }
        // The mark itself stays for good: after a failure each lane has to find out that its old connection must be closed,
        // and a closed store stays closed.
        state.withLock { $0.health.noteSuccess() }
    }

    private static let idleTime = Duration.milliseconds(50)

    /// Sets an alarm for `endIdleReads`, unless it is set. Lanes without further look-ups then end their read
    /// transactions, which keep SQLite from resetting its log.
    private func endReadsLater() {
        guard !isAlarmSet.load(ordering: .relaxed), !isAlarmSet.exchange(true, ordering: .acquiringAndReleasing) else {
            return
        }
        alarm.withLock { $0 }?.set(at: .now.advanced(by: Self.idleTime))
    }

    /// Ends the read transactions of all lanes in which no look-up is under way. A look-up may wait for a disk that hangs,
    /// so its lane is left to the next alarm. Otherwise each alarm would hold up another thread.
    func endIdleReads() {
        isAlarmSet.store(false, ordering: .releasing)
        var isComplete = true
        for lane in lanes where lane.state.withLockIfAvailable({ $0.endReading() }) == nil { isComplete = false }
        if !isComplete { endReadsLater() }
    }

    // MARK: Writing

    /// Queues a value to be written, and returns at once.
    ///
    /// - Parameters:
    ///   - byteCount: the bytes that the value takes while it waits.
    ///   - make: makes the value, on the store's thread; nil if there is nothing to write after all.
    /// - Returns: whether the value was queued. It is not queued if it is waiting already, if too many bytes are
    ///   waiting, or if the store is closed or resting after a failure.
    @discardableResult
    public func put(_ key: StoreKey, byteCount: Int, make: @escaping @Sendable () -> StoredValue?) -> Bool {
        let isQueued = state.withLock { state in
            guard !state.isClosed, !state.queuedKeys.contains(key) else { return false }
            guard state.health.isUsable(at: clock()), state.writing.isUsable(at: clock()),
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

    /// Wakes the writing thread, or starts it if none runs.
    private func wakeWriter() {
        let isFirst = state.withLock { state in
            guard state.hasEnded, !state.isClosed else { return false }
            (state.hasEnded, state.hasStarted) = (false, true)
            return true
        }
        if isFirst, !DetachedThread.start(named: "thumbwheel-store", { [self] in writeBehind() }) {
            // The system could not start a thread. The values wait until a later call starts one.
            let isClosed = state.withLock { state in
                (state.hasEnded, state.hasStarted) = (true, false)
                return state.isClosed
            }
            // A thread may have begun to wait in `close` meanwhile.
            if isClosed { ending.raise() }
        }
        arrival.raise()
    }

    /// Queues a value to be written, and returns whether it was queued.
    @discardableResult
    public func put(_ value: StoredValue, for key: StoreKey) -> Bool {
        put(key, byteCount: value.bytes.count) { value }
    }

    /// Waits until all values that are queued now have been written or dropped.
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
        // Ends the read transactions of all lanes, so that later look-ups find the new values.
        for lane in lanes { lane.state.withLock { $0.endReading() } }
    }

    /// Writes all queued values, and ends the store's thread. After that the store finds no values and takes none.
    ///
    /// A disk that hangs is waited for no longer than ten seconds. The store's thread then ends when the disk does answer.
    @available(*, noasync, message: "it waits for the disk")
    public func close() {
        // The thread tells the index what has been read, so that nobody waits for that longer than the limit.
        wakeWriter()
        let hasThread = state.withLock { state in
            state.isClosed = true
            return state.hasStarted
        }
        hasFailedOrClosed.store(true, ordering: .relaxed)
        if hasThread {
            arrival.raise()
            // Connections are closed only if the disk answers, because closing them may write to it.
            guard ending.wait(until: .now.advanced(by: closingTime)) else { return }
            // Wakes the next thread that waits in `close`.
            ending.raise()
        }
        // A look-up that waits for the disk keeps its connection; it ends with the store.
        for lane in lanes { _ = lane.state.withLockIfAvailable { $0.reader = nil } }
        folder.withLock { $0 = nil }
    }

    /// Writes to the index what has been read or was damaged, if no writing thread runs.
    private func writeFirstUses() {
        var batch = StoreBatch()
        takeUses(into: &batch)
        takeReads(into: &batch)
        var connection: Connection?
        if !batch.isEmpty || !batch.reads.isEmpty { write(batch, with: &connection) }
    }

    private func takeUses(into batch: inout StoreBatch) {
        for lane in lanes {
            lane.notes.withLock { notes in
                batch.used += notes.used
                batch.damaged += notes.damaged
                (notes.used, notes.damaged) = ([], [])
            }
        }
    }

    private func takeReads(into batch: inout StoreBatch) {
        for lane in lanes {
            lane.notes.withLock { notes in
                for (number, reads) in notes.reads { batch.reads[number, default: SegmentReads()].add(reads) }
                (notes.reads, notes.readByteCount) = ([:], 0)
            }
        }
    }

    /// Whether the index does not know of as many read bytes as a segment has.
    private var isMuchRead: Bool {
        lanes.contains { lane in lane.notes.withLock { $0.readByteCount >= segmentByteCount } }
    }

    public var statistics: StoreStatistics {
        var statistics = state.withLock { state in
            var statistics = state.statistics
            statistics.failure = state.health.failure ?? state.writing.failure
            return statistics
        }
        // The locks of the lanes are not taken inside the lock of `state`, because a look-up takes the two locks in the
        // opposite order. Otherwise two threads could deadlock.
        for lane in lanes {
            let counts = lane.notes.withLock { $0.counts }
            statistics.hits += counts.hits
            statistics.misses += counts.misses
            statistics.damaged += counts.damaged
            statistics.hitByteCount += counts.hitByteCount
            statistics.savedMilliseconds += Double(counts.savedMicroseconds) / 1_000
        }
        return statistics
    }

    // MARK: The thread that writes

    private func writeBehind() {
        WritingPriority.apply()
        var connection: Connection?
        while true {
            var (batch, waiters, isToEnd) = takeBatch()
            // A few reads alone wait. Otherwise threads that read would keep this thread busy. Many do not, because another
            // process may be about to remove the segments that this one reads.
            if !batch.isEmpty || isToEnd || isMuchRead { takeReads(into: &batch) }
            if !batch.isEmpty || !batch.reads.isEmpty { write(batch, with: &connection) }
            for waiter in waiters { waiter.raise() }
            if isToEnd { break }
            if batch.isEmpty, waiters.isEmpty { arrival.wait() }
        }
        connection = nil
        ending.raise()
    }

    /// Takes the next batch from the queue, together with the signals of `flush` if the queue is empty then.
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
            if let connection { try connection.writer.write(batch, &report) }
        } catch {
            failure = error
            connection = nil
            segments.closeAll()
        }
        state.withLock { state in
            for pending in batch.pending {
                state.queuedKeys.remove(pending.key)
                state.statistics.queuedByteCount -= pending.byteCount
            }
            state.statistics.writes += report.writtenCount
            state.statistics.evictions += report.evictedCount
            if report.byteCount > 0 { state.statistics.byteCount = report.byteCount }
            if let failure {
                state.statistics.drops += batch.pending.count - report.finishedCount
                state.noteWritingFailure(failure, at: clock())
                if state.health.failure != nil { hasFailedOrClosed.store(true, ordering: .relaxed) }
            } else if report.writtenCount > 0 || state.writing.failure == .busy {
                // Only values show that a full disk has room again. Any transaction shows that nobody holds the index.
                state.noteWritingSuccess()
            }
        }
    }

    private func connect(_ generation: Int) throws(StoreError) -> Connection {
        let index = try openIndex()
        return Connection(
            StoreWriter(index, segments, byteLimit: configuration.byteLimit), generation: generation)
    }
}
