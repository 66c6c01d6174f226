import ThumbwheelCore
import ThumbwheelLocks

/// The writing side of a store: values that wait to be written, and the thread that writes them. The thread also tells the
/// index what look-ups have found.
final class StoreWriteBehind: Sendable {
    private struct State {
        var pending: [StoreBatch.Pending] = []
        /// The bytes of `pending`. `statistics.queuedByteCount` counts those that are being written as well.
        var pendingByteCount = 0
        /// The keys of values that wait to be written, so that no value is queued twice.
        var queuedKeys: Set<StoreKey> = []
        /// The counts of writes. The lanes (`StoreLane`) count reads.
        var statistics = StoreStatistics()
        /// Whether the thread gathers values, and will look after those that wait by itself.
        var isGathering = false
        /// Signals to raise when all values that are queued now have been written.
        var waiters: [TimedSignal] = []
        var isClosed = false
        /// Whether no writing thread runs, or its last batch has been taken. A thread is started for the first value, or by
        /// `close`, and ends when the store is closed.
        var hasEnded = true
        /// Whether a writing thread has ever been started. It may still write its last batch when `hasEnded` is set again.
        var hasStarted = false
    }

    /// Values that the thread has written, and that the index does not know yet.
    private struct Unindexed {
        var keys: [StoreKey] = []
        var byteCount = 0
        /// When the thread began to gather values for the next transaction; nil if there are none.
        var since: MonotonicTime?
    }

    private final class Connection {
        let writer: StoreWriter
        let generation: Int

        init(_ writer: StoreWriter, generation: Int) {
            (self.writer, self.generation) = (writer, generation)
        }
    }

    private let configuration: DiskStore.Configuration
    private let segments: SegmentFolder
    private let lanes: StoreLanes
    private let condition: StoreCondition
    private let opener: StoreIndexOpener
    private let state = Mutex(State())
    private let arrival = TimedSignal()
    private let ending = TimedSignal()

    /// The bytes and the number of pending values at which a batch is full.
    private let batchByteCount: Int
    private static let batchCount = 2_048
    /// The most bytes of values of which the index learns at once. Values that come to more than a batch before it is time for
    /// the index are written to files, so that they take no memory.
    private static let unindexedByteLimit = 16 << 20
    /// How long the first value of a batch waits for others. In a small batch each value costs a page of the index, in a large
    /// one several values share a page. A process that is killed loses the values that wait.
    private let gatheringTime: Duration

    init(
        _ configuration: DiskStore.Configuration, _ segments: SegmentFolder, _ lanes: StoreLanes,
        _ condition: StoreCondition, _ opener: StoreIndexOpener, gatheringTime: Duration
    ) {
        (self.configuration, self.segments, self.lanes) = (configuration, segments, lanes)
        self.gatheringTime = gatheringTime
        (self.condition, self.opener) = (condition, opener)
        // While a batch is written, another one can wait.
        batchByteCount = min(configuration.queueByteLimit / 2, 16 << 20)
    }

    /// The counts of writes.
    var statistics: StoreStatistics { state.withLock { $0.statistics } }

    // MARK: The queue

    /// Queues a value; see `DiskStore.put`.
    func put(_ key: StoreKey, byteCount: Int, make: @escaping @Sendable () -> StoredValue?) -> Bool {
        let isWritable = condition.isWritable
        let (isQueued, isToWake) = state.withLock { state in
            guard !state.isClosed, !state.queuedKeys.contains(key) else { return (false, false) }
            guard isWritable, state.statistics.queuedByteCount + byteCount <= configuration.queueByteLimit else {
                state.statistics.drops += 1
                return (false, false)
            }
            let wasFull = isFull(state)
            state.queuedKeys.insert(key)
            state.statistics.queuedByteCount += byteCount
            state.pendingByteCount += byteCount
            state.pending.append(StoreBatch.Pending(key: key, byteCount: byteCount, make: make))
            return (true, !state.isGathering && state.pending.count == 1 || state.hasEnded || isFull(state) != wasFull)
        }
        if isToWake { wake() }
        return isQueued
    }

    /// Whether the values that wait are enough for a batch.
    private func isFull(_ state: borrowing State) -> Bool {
        state.pending.count >= Self.batchCount || state.pendingByteCount >= batchByteCount
    }

    /// Wakes the thread, or starts it if none runs.
    func wake() {
        let isFirst = state.withLock { state in
            guard state.hasEnded, !state.isClosed else { return false }
            (state.hasEnded, state.hasStarted) = (false, true)
            return true
        }
        if isFirst, !DetachedThread.start(named: "thumbwheel-store", { [self] in run() }) {
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

    /// Waits until all values that are queued now have been written or dropped. Does nothing once the store is closed.
    func flush() {
        let written = TimedSignal()
        let (hasThread, isClosed) = state.withLock { state in
            if !state.hasEnded { state.waiters.append(written) }
            return (!state.hasEnded, state.isClosed)
        }
        if hasThread {
            arrival.raise()
            written.wait()
        } else if !isClosed {
            writeUses()
        }
    }

    /// Takes no more values, and ends the thread once it has written all that wait.
    ///
    /// - Parameter limit: the longest time that is waited for the thread.
    /// - Returns: whether the thread has ended.
    func close(within limit: Duration) -> Bool {
        // The thread tells the index what has been read, so that nobody waits for that longer than the limit.
        wake()
        let hasThread = state.withLock { state in
            state.isClosed = true
            return state.hasStarted
        }
        guard hasThread else { return true }
        arrival.raise()
        guard ending.wait(until: .now.advanced(by: limit)) else { return false }
        // Wakes the next thread that waits in `close`.
        ending.raise()
        return true
    }

    // MARK: The thread

    private func run() {
        WritingPriority.apply()
        var connection: Connection?
        var unindexed = Unindexed()
        while true {
            let isTimeOver = gather(&unindexed)
            var (batch, waiters, isToEnd) = takeBatch()
            batch.isFinal = isToEnd || !waiters.isEmpty
            let byteCount = batch.pending.reduce(unindexed.byteCount) { $0 + $1.byteCount }
            batch.isDue =
                batch.isFinal || isTimeOver || byteCount >= Self.unindexedByteLimit
                || unindexed.keys.count + batch.pending.count >= Self.batchCount
            let isAhead = !batch.pending.isEmpty && !batch.isDue
            if !isAhead { lanes.takeUses(into: &batch) }
            // A few reads alone wait. Otherwise threads that read would keep this thread busy. Many do not, because another
            // process may be about to remove the segments that this one reads.
            if !isAhead, !batch.isEmpty || isToEnd || isMuchRead { lanes.takeReads(into: &batch) }
            // The writer may hold rows of an earlier batch, of which the index is to know before the end.
            let isOwed = batch.isFinal && connection?.writer.owesUses ?? false
            if !batch.isEmpty || !batch.reads.isEmpty || batch.isDue && !unindexed.keys.isEmpty || isOwed {
                write(batch, with: &connection, &unindexed)
            }
            for waiter in waiters { waiter.raise() }
            if isToEnd { break }
            if batch.isEmpty, waiters.isEmpty, unindexed.keys.isEmpty { arrival.wait() }
        }
        connection = nil
        ending.raise()
    }

    /// If values wait, or the index does not know of some, waits for others, until there are enough, the time for that is over,
    /// or somebody waits for the thread.
    ///
    /// - Returns: whether the time is over.
    private func gather(_ unindexed: inout Unindexed) -> Bool {
        let hasUnindexed = !unindexed.keys.isEmpty
        let since = unindexed.since ?? .now
        let end = since.advanced(by: gatheringTime)
        defer { state.withLock { $0.isGathering = false } }
        while isGathering(hasUnindexed) {
            unindexed.since = since
            guard arrival.wait(until: end) else { return true }
        }
        return false
    }

    private func isGathering(_ hasUnindexed: Bool) -> Bool {
        state.withLock { state in
            state.isGathering =
                (!state.pending.isEmpty || hasUnindexed) && !isFull(state) && state.waiters.isEmpty && !state.isClosed
            return state.isGathering
        }
    }

    /// Whether the index does not know of as many read bytes as a segment has.
    private var isMuchRead: Bool {
        lanes.haveRead(StoreRules.segmentByteCount(byteLimit: configuration.byteLimit))
    }

    /// Writes to the index what has been read or was damaged, if no thread runs.
    private func writeUses() {
        var batch = StoreBatch()
        batch.isFinal = true
        lanes.takeUses(into: &batch)
        lanes.takeReads(into: &batch)
        var connection: Connection?
        var unindexed = Unindexed()
        if !batch.isEmpty || !batch.reads.isEmpty { write(batch, with: &connection, &unindexed) }
    }

    /// Takes the next batch from the queue, together with the signals of `flush` if the queue is empty then.
    private func takeBatch() -> (StoreBatch, [TimedSignal], isToEnd: Bool) {
        var batch = StoreBatch()
        let (pending, waiters, isToEnd) = state.withLock { state in
            var byteCount = 0
            var count = 0
            while count < state.pending.count, count < Self.batchCount, byteCount < batchByteCount {
                byteCount += state.pending[count].byteCount
                count += 1
            }
            let pending = Array(state.pending[..<count])
            state.pending.removeFirst(count)
            state.pendingByteCount -= byteCount
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

    private func write(_ batch: StoreBatch, with connection: inout Connection?, _ unindexed: inout Unindexed) {
        let generation = condition.generation
        // Values that have been appended are lost together with the connection that would have told the index of them.
        var dropCount = connection?.writer.aheadCount ?? 0
        if connection?.generation != generation { connection = nil }
        let openCount = connection?.writer.aheadCount ?? 0
        dropCount -= openCount
        var report = StoreWriter.Report()
        var failure: StoreError?
        do throws(StoreError) {
            if connection == nil {
                let writer = StoreWriter(try opener.open(), segments, byteLimit: configuration.byteLimit)
                connection = Connection(writer, generation: generation)
            }
            if let connection { try connection.writer.write(batch, at: .now, &report) }
            condition.noteWritingSuccess(hasValues: report.writtenCount > 0)
        } catch {
            failure = error
            let database = connection?.writer.index.database
            // Nobody but the opener uses the connection from here on.
            connection = nil
            segments.closeAll()
            if case .damagedIndex = error, let database { opener.noteDamage(of: database) }
            condition.noteWritingFailure(error)
        }
        if failure != nil { dropCount += openCount + batch.pending.count - report.finishedCount }
        for pending in batch.pending { unindexed.keys.append(pending.key) }
        var keys: [StoreKey] = []
        if let connection, connection.writer.aheadCount > 0 {
            // A value that has been appended is not queued once more before the index knows it.
            unindexed.byteCount += batch.pending.reduce(0) { $0 + $1.byteCount }
        } else {
            keys = unindexed.keys
            unindexed = Unindexed()
        }
        state.withLock { state in
            for key in keys { state.queuedKeys.remove(key) }
            for pending in batch.pending { state.statistics.queuedByteCount -= pending.byteCount }
            state.statistics.drops += dropCount
            state.statistics.writes += report.writtenCount
            state.statistics.evictions += report.evictedCount
            if report.byteCount > 0 { state.statistics.byteCount = report.byteCount }
        }
    }
}
