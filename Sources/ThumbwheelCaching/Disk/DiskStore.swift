import ThumbwheelCore
import ThumbwheelLocks

import struct Synchronization.Atomic

/// A persistent store of values in a folder, which several processes can share.
///
/// Values are appended to segment files, and a SQLite database is their index. Reading a value takes a look-up in the
/// index and one read of a file. A checksum is tested at each read, so a damaged value is never returned. `put` only
/// queues a value; a thread of the store writes queued values in batches. A value waits at most a quarter of a second for
/// the others of its batch, and values that wait are lost if the process is killed.
///
/// The store has a byte limit. To stay below it, the store deletes the segment that nobody has read for the longest time.
/// Before, it copies values that are worth keeping to the newest segment: those that took long to make, and those that have
/// been read while most others of the segment have not. A failure of
/// the disk or the index is never reported to a caller of `value` or `put`. Instead the store finds nothing, or takes
/// nothing, for a while, and `statistics` tells the reason. A disk that is full is still read, and
/// so is a folder that cannot be written, if another process has made the store in it. Where the folder belongs to another
/// user on a file system that can be written, it is read only while a process that writes has the store open.
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

    let configuration: Configuration
    let segments: SegmentFolder
    private let closingTime: Duration
    private let condition: StoreCondition
    private let opener: StoreIndexOpener
    private let lanes: StoreLanes
    private let writing: StoreWriteBehind
    private let alarm = Mutex<AlarmClock.Alarm?>(nil)
    /// Whether an alarm is set for `endIdleReads`.
    private let isAlarmSet = Atomic(false)

    /// Makes a store. Its folder is opened or made when the first value is looked up or written.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, access: StoreFileAccess())
    }

    /// - Parameters:
    ///   - clock: tells the time, which decides when the store is tried again after a failure.
    ///   - closingTime: the longest time that `close` waits for the disk.
    ///   - gatheringTime: the longest time that a value waits for others, to be written together with them.
    package init(
        _ configuration: Configuration, access: StoreFileAccess, closingTime: Duration = .seconds(10),
        gatheringTime: Duration = .milliseconds(250), clock: @escaping @Sendable () -> MonotonicTime = { .now }
    ) {
        self.closingTime = closingTime
        self.configuration = configuration
        segments = SegmentFolder(path: configuration.folder, access: access)
        condition = StoreCondition(clock: clock)
        opener = StoreIndexOpener(configuration, segments, condition)
        lanes = StoreLanes()
        writing = StoreWriteBehind(
            configuration, segments, lanes, condition, opener, gatheringTime: gatheringTime)
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

    /// Opens a connection to the index.
    func openIndex() throws(StoreError) -> StoreIndex { try opener.open() }

    private var segmentByteCount: Int { StoreRules.segmentByteCount(byteLimit: configuration.byteLimit) }

    // MARK: Reading

    /// The value of a key; nil if the store has none or cannot be used. May wait for the disk.
    @available(*, noasync, message: "it may wait for the disk")
    public func value(for key: StoreKey) -> StoredValue? {
        guard condition.isReadable else {
            lanes.noteMiss()
            return nil
        }
        return lanes.withLane { value(for: key, in: $0, &$1) }
    }

    private func value(for key: StoreKey, in lane: StoreLane, _ state: inout StoreLane.State) -> StoredValue? {
        do throws(StoreError) {
            let now = MonotonicTime.now
            let answer = try reader(of: &state).lookUp(key, at: now)
            condition.noteReadingSuccess()
            endReadsLater()
            return take(answer, of: key, in: lane, at: now)
        } catch {
            lane.notes.withLock { $0.counts.misses += 1 }
            let database = state.reader?.index.database
            // Nobody but the opener uses the connection from here on.
            state.reader = nil
            segments.closeAll()
            if case .damagedIndex = error, let database { opener.noteDamage(of: database) }
            condition.noteReadingFailure(error)
            return nil
        }
    }

    private func reader(of lane: inout StoreLane.State) throws(StoreError) -> StoreReader {
        if let reader = lane.reader, condition.isCurrent(lane.generation) { return reader }
        lane.reader = nil
        lane.generation = condition.generation
        let reader = StoreReader(try opener.open(), segments)
        lane.reader = reader
        return reader
    }

    private func take(
        _ answer: StoreReader.Answer, of key: StoreKey, in lane: StoreLane, at now: MonotonicTime
    ) -> StoredValue? {
        let wakes = lane.notes.withLock { note(answer, of: key, in: &$0, at: now) }
        if wakes { writing.wake() }
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
                !found.entry.isUsed && notes.used.insert(key.row, ofSegment: found.entry.segment)
                && notes.used.count == StoreLane.usedLimit
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

    private static let idleTime = Duration.milliseconds(50)
    /// The time after the last look-up at which the store closes the files that it has read.
    private static let openTime = Duration.seconds(5)

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
    ///
    /// If nobody has looked anything up since the alarm before, files are closed too. Otherwise a process that is idle
    /// would keep the room of files that other processes delete.
    func endIdleReads() {
        let hasRead = isAlarmSet.exchange(false, ordering: .acquiringAndReleasing)
        guard lanes.endIdleReading() else { return endReadsLater() }
        if hasRead {
            // A look-up sets the alarm to an earlier time, and this method is then called twice.
            alarm.withLock { $0 }?.set(at: .now.advanced(by: Self.openTime))
        } else {
            segments.closeUnwritten()
        }
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
        writing.put(key, byteCount: byteCount, make: make)
    }

    /// Queues a value to be written, and returns whether it was queued.
    @discardableResult
    public func put(_ value: StoredValue, for key: StoreKey) -> Bool {
        put(key, byteCount: value.bytes.count) { value }
    }

    /// Waits until all values that are queued now have been written or dropped. Does nothing once the store is closed.
    @available(*, noasync, message: "it waits for the disk")
    public func flush() {
        // Their read transactions would keep SQLite from emptying the log, and reads are noted there.
        _ = lanes.endIdleReading()
        writing.flush()
        // Later look-ups find the new values.
        lanes.endReading()
    }

    /// Writes all queued values, and ends the store's thread. After that the store finds no values and takes none, and cannot be
    /// opened again: `open` and looking after the store throw `StoreError.closed`.
    ///
    /// A disk that hangs is waited for no longer than ten seconds. The store's thread then ends when the disk does answer.
    @available(*, noasync, message: "it waits for the disk")
    public func close() {
        condition.close()
        _ = lanes.endIdleReading()
        // Connections are closed only if the disk answers, because closing them may write to it.
        guard writing.close(within: closingTime) else { return }
        lanes.close()
        opener.close()
    }

    /// What the store has done in this process, and whether it works.
    public var statistics: StoreStatistics {
        var statistics = writing.statistics
        statistics.failure = condition.failure
        lanes.add(to: &statistics)
        return statistics
    }
}
