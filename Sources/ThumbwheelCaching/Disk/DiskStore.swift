import ThumbwheelCore
import ThumbwheelLocks

/// A store of values in a folder. They outlive the process, and several processes share them.
///
/// Values lie one behind another in segment files, and a SQLite database is their index. Every value is checked when it is
/// read: a value that comes out is the one that was put in. Reading takes two short reads of files; writing is behind: `put`
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
        var batch = StoreBatch()
        /// The keys that wait to be written, so that none is queued twice.
        var queuedKeys: Set<StoreKey> = []
        var statistics = StoreStatistics()
        var health = StoreHealth()
        var readers: [StoreReader] = []
        /// Rises with each failure. Connections from before the failure are not used again, because the index may have been
        /// replaced since.
        var generation = 0
        var usedKeys: Set<StoreKey> = []
        /// The signals of those who wait until everything queued so far is written.
        var waiters: [TimedSignal] = []
        var isClosed = false
        /// Whether no thread writes: it starts with the first value, and ends when the store is closed.
        var hasEnded = false
        var lookUpCount = 0

        mutating func noteFailure(_ error: StoreError) {
            health.noteFailure(error, at: .now)
            readers = []
            generation += 1
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
    /// The folder, once it has been opened; nil again after the end.
    private let folder = Mutex<StoreFolder?>(nil)
    let segments: SegmentFolder
    private let state: Mutex<State>
    private let arrival = TimedSignal()
    private let ending = TimedSignal()

    /// The number of first uses that wait until they are written down without any other occasion.
    private static let usedLimit = 4_096
    /// The look-ups between two searches for files that other processes have deleted.
    private static let lookUpsBetweenChecks = 1_024
    private static let batchByteCount = 4 << 20
    private static let batchCount = 512

    /// Makes a store. Its folder is opened, or made, when the first value is looked up or written.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, access: StoreFileAccess())
    }

    package init(_ configuration: Configuration, access: StoreFileAccess) {
        self.configuration = configuration
        segments = SegmentFolder(path: configuration.folder, access: access)
        var state = State()
        state.hasEnded = true
        self.state = Mutex(state)
    }

    /// Opens the folder, and makes it if there is none. A store that cannot be opened now is tried again later by itself; this
    /// function is for those who want to know at once.
    ///
    /// - Throws: `StoreError` if the folder cannot be used, or if a later version of the library has written it.
    @available(*, noasync, message: "it waits for the disk")
    public func open() throws(StoreError) {
        let generation = state.withLock { $0.generation }
        let reader = StoreReader(try openIndex(), segments)
        state.withLock { state in
            if generation == state.generation, !state.isClosed { state.readers.append(reader) }
        }
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
            return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount)
        } catch .damagedIndex {
            try folder.deleteIndex()
            for number in segments.numbers { segments.delete(number) }
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
        guard let (reader, generation) = takeReader() else { return nil }
        let answer: StoreReader.Answer
        do throws(StoreError) {
            answer = try reader.lookUp(key)
        } catch {
            noteMiss(because: error)
            return nil
        }
        let (value, isToWrite) = note(answer, of: key, by: reader, generation)
        if isToWrite { wakeWriter() }
        return value
    }

    private func takeReader() -> (StoreReader, generation: Int)? {
        let (reader, isUsable, isTimeToCheck, generation) = state.withLock { state in
            state.lookUpCount += 1
            let isUsable = !state.isClosed && state.health.isUsable(at: .now)
            if !isUsable { state.statistics.misses += 1 }
            let reader = isUsable ? state.readers.popLast() : nil
            return (reader, isUsable, state.lookUpCount % Self.lookUpsBetweenChecks == 0, state.generation)
        }
        if isTimeToCheck { segments.closeDeleted() }
        guard isUsable else { return nil }
        if let reader { return (reader, generation) }
        do throws(StoreError) {
            return (StoreReader(try openIndex(), segments), generation)
        } catch {
            noteMiss(because: error)
            return nil
        }
    }

    private func noteMiss(because error: StoreError) {
        state.withLock { state in
            state.statistics.misses += 1
            state.noteFailure(error)
        }
    }

    /// Counts an answer and puts its reader back.
    ///
    /// - Returns: the value, and whether the writer has something to do.
    private func note(
        _ answer: StoreReader.Answer, of key: StoreKey, by reader: StoreReader, _ generation: Int
    ) -> (StoredValue?, isToWrite: Bool) {
        state.withLock { state in
            if generation == state.generation, !state.isClosed { state.readers.append(reader) }
            switch answer {
            case .found(let found):
                state.health.noteSuccess()
                state.statistics.hits += 1
                if !found.entry.isUsed, state.usedKeys.insert(key).inserted { state.batch.used.append(key) }
                return (found.value, state.batch.used.count == Self.usedLimit)
            case .missing:
                state.health.noteSuccess()
                state.statistics.misses += 1
                return (nil, false)
            case .damaged(let entry):
                state.statistics.misses += 1
                state.statistics.damaged += 1
                state.batch.damaged.append((key, entry))
                return (nil, true)
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
            guard state.health.isUsable(at: .now),
                state.statistics.queuedByteCount + byteCount <= configuration.queueByteLimit
            else {
                state.statistics.drops += 1
                return false
            }
            state.queuedKeys.insert(key)
            state.statistics.queuedByteCount += byteCount
            state.batch.pending.append(StoreBatch.Pending(key: key, byteCount: byteCount, make: make))
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
        guard hasThread else { return writeFirstUses() }
        arrival.raise()
        written.wait()
    }

    /// Writes what is queued, and ends the store's thread. The store then finds nothing and takes nothing.
    @available(*, noasync, message: "it waits for the disk")
    public func close() {
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
        state.withLock { $0.readers = [] }
        folder.withLock { $0 = nil }
    }

    /// Writes down which values have been read, in a process that writes no values.
    private func writeFirstUses() {
        let batch = state.withLock { state in
            defer { state.batch = StoreBatch() }
            return state.batch
        }
        var connection: Connection?
        if !batch.isEmpty { write(batch, with: &connection) }
    }

    public var statistics: StoreStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.failure = state.health.failure
            return statistics
        }
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
        state.withLock { state in
            var batch = StoreBatch()
            var byteCount = 0
            var count = 0
            while count < state.batch.pending.count, count < Self.batchCount, byteCount < Self.batchByteCount {
                byteCount += state.batch.pending[count].byteCount
                count += 1
            }
            batch.pending = Array(state.batch.pending[..<count])
            state.batch.pending.removeFirst(count)
            (batch.used, batch.damaged) = (state.batch.used, state.batch.damaged)
            (state.batch.used, state.batch.damaged) = ([], [])
            state.usedKeys = []
            guard state.batch.pending.isEmpty else { return (batch, [], false) }
            defer { state.waiters = [] }
            state.hasEnded = state.isClosed
            return (batch, state.waiters, state.isClosed)
        }
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
                state.noteFailure(failure)
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
