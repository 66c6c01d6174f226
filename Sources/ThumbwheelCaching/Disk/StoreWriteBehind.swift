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
        /// Signals to raise when all values that are queued now have been written.
        var waiters: [TimedSignal] = []
        var isClosed = false
        /// Whether no writing thread runs, or its last batch has been taken. A thread is started for the first value, or by
        /// `close`, and ends when the store is closed.
        var hasEnded = true
        /// Whether a writing thread has ever been started. It may still write its last batch when `hasEnded` is set again.
        var hasStarted = false
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

    /// The bytes and the number of values at which a batch is full.
    private let batchByteCount: Int
    private static let batchCount = 1_024
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
            return (true, state.pending.count == 1 || state.hasEnded || isFull(state) != wasFull)
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
        while true {
            gather()
            var (batch, waiters, isToEnd) = takeBatch()
            // A few reads alone wait. Otherwise threads that read would keep this thread busy. Many do not, because another
            // process may be about to remove the segments that this one reads.
            if !batch.isEmpty || isToEnd || isMuchRead { lanes.takeReads(into: &batch) }
            if !batch.isEmpty || !batch.reads.isEmpty { write(batch, with: &connection) }
            for waiter in waiters { waiter.raise() }
            if isToEnd { break }
            if batch.isEmpty, waiters.isEmpty { arrival.wait() }
        }
        connection = nil
        ending.raise()
    }

    /// If values wait, waits for others, until there are enough for a batch, the time for that is over, or somebody waits for
    /// the thread.
    private func gather() {
        let end = MonotonicTime.now.advanced(by: gatheringTime)
        while isGathering, arrival.wait(until: end) {}
    }

    private var isGathering: Bool {
        state.withLock { !$0.pending.isEmpty && !isFull($0) && $0.waiters.isEmpty && !$0.isClosed }
    }

    /// Whether the index does not know of as many read bytes as a segment has.
    private var isMuchRead: Bool {
        lanes.haveRead(StoreRules.segmentByteCount(byteLimit: configuration.byteLimit))
    }

    /// Writes to the index what has been read or was damaged, if no thread runs.
    private func writeUses() {
        var batch = StoreBatch()
        lanes.takeUses(into: &batch)
        lanes.takeReads(into: &batch)
        var connection: Connection?
        if !batch.isEmpty || !batch.reads.isEmpty { write(batch, with: &connection) }
    }

    /// Takes the next batch from the queue, together with the signals of `flush` if the queue is empty then.
    private func takeBatch() -> (StoreBatch, [TimedSignal], isToEnd: Bool) {
        var batch = StoreBatch()
        lanes.takeUses(into: &batch)
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

    private func write(_ batch: StoreBatch, with connection: inout Connection?) {
        let generation = condition.generation
        if connection?.generation != generation { connection = nil }
        var report = StoreWriter.Report()
        var failure: StoreError?
        do throws(StoreError) {
            if connection == nil {
                let writer = StoreWriter(try opener.open(), segments, byteLimit: configuration.byteLimit)
                connection = Connection(writer, generation: generation)
            }
            if let connection { try connection.writer.write(batch, &report) }
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
        state.withLock { state in
            for pending in batch.pending {
                state.queuedKeys.remove(pending.key)
                state.statistics.queuedByteCount -= pending.byteCount
            }
            state.statistics.writes += report.writtenCount
            state.statistics.evictions += report.evictedCount
            if report.byteCount > 0 { state.statistics.byteCount = report.byteCount }
            if failure != nil { state.statistics.drops += batch.pending.count - report.finishedCount }
        }
    }
}
