import ThumbwheelLocks

/// Opens connections to the index of a store, and its folder before the first of them.
///
/// A damaged index is replaced by an empty one, once, and only by a process that is the only one to use the store.
final class StoreIndexOpener: Sendable {
    private enum Folder {
        case unopened
        case open(StoreFolder)
        case closed
    }

    private let configuration: DiskStore.Configuration
    private let segments: SegmentFolder
    private let condition: StoreCondition
    private let folder = Mutex(Folder.unopened)
    /// The index that a look-up or a write has found damaged; nil if there is none. As long as this connection is open,
    /// no other file gets the number of its file, so it tells for certain whether somebody has replaced the index.
    ///
    /// Whoever opens the index holds the lock. Otherwise two threads that find the index damaged would each replace it,
    /// and the first would go on with a deleted file.
    private let damaged = Mutex<SQLiteDatabase?>(nil)

    /// A new index gives its segments numbers that are larger than those of all files in the folder by this much. A
    /// process that still writes to the index before, and may not have noticed, meanwhile makes no file of the same
    /// number.
    private static let numberGap: Int64 = 1_000

    init(_ configuration: DiskStore.Configuration, _ segments: SegmentFolder, _ condition: StoreCondition) {
        (self.configuration, self.segments, self.condition) = (configuration, segments, condition)
    }

    /// Opens a connection to the index. If the index is damaged and no other process uses the store, an empty index
    /// replaces it.
    ///
    /// - Throws: `StoreError`; `.closed` after `close`, so that nothing opens the folder again.
    func open() throws(StoreError) -> StoreIndex {
        try damaged.withLock { damaged throws(StoreError) in
            let folder = try openFolder()
            forgetIfReplaced(&damaged)
            // While a process rests after it has found damage, it does not share the lock.
            if damaged == nil {
                try folder.share()
                do throws(StoreError) { return try openIndex(in: folder) } catch .damagedIndex {}
            }
            try folder.claim()
            defer { try? folder.share() }
            return try replaceIndex(in: folder, &damaged)
        }
    }

    /// Notes that a connection has found its index damaged. Nobody else may use the connection any more.
    ///
    /// SQLite finds damage inside the index only when it reads the damaged page, long after opening the file.
    func noteDamage(of database: SQLiteDatabase) {
        // A read transaction would keep other processes from resetting the log.
        try? database.execute("ROLLBACK")
        damaged.withLock { damaged in
            if !database.hasMoved { damaged = database }
        }
    }

    private func forgetIfReplaced(_ damaged: inout SQLiteDatabase?) {
        guard damaged?.hasMoved == true else { return }
        damaged = nil
        noteNewIndex()
    }

    /// Puts an empty index in the place of the damaged one. The process is alone, until the segments are gone and the
    /// new index has its tables. Otherwise another process could begin a segment, and this one would delete it.
    private func replaceIndex(
        in folder: StoreFolder, _ damaged: inout SQLiteDatabase?
    ) throws(StoreError) -> StoreIndex {
        // Another process may have replaced the index before this one was alone.
        forgetIfReplaced(&damaged)
        if damaged == nil {
            do throws(StoreError) { return try openIndex(in: folder) } catch .damagedIndex {}
        }
        let numbers = segments.numbers
        folder.deleteIndex()
        for number in numbers { segments.delete(number) }
        // Anybody may have put a file of any number into the folder.
        let lastNumber = min(numbers.last ?? 0, 1 << 30)
        let index = try StoreIndex(
            path: folder.indexPath, logPageCount: logPageCount, numbersAfter: lastNumber + Self.numberGap)
        damaged = nil
        noteNewIndex()
        return index
    }

    /// Makes all threads open connections to the new index, and files of its segments.
    private func noteNewIndex() {
        segments.closeAll()
        condition.noteNewIndex()
    }

    private func openIndex(in folder: StoreFolder) throws(StoreError) -> StoreIndex {
        guard folder.isReadOnly else { return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount) }
        condition.noteWritingFailure(.readOnly)
        do throws(StoreError) {
            return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount, for: .reading)
        } catch .unusable where folder.isOnReadOnlyFileSystem {
            // The last process that could write has closed the index, and so has moved all of its log into the database.
            return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount, for: .readingOnly)
        }
    }

    /// The folder of the store. It is opened again if it has been deleted, or may be writable by now.
    private func openFolder() throws(StoreError) -> StoreFolder {
        try folder.withLock { folder throws(StoreError) -> StoreFolder in
            switch folder {
            case .closed: throw .closed
            case .open(let present) where !present.isReadOnly && !present.hasMoved: return present
            case .open(let present):
                let opened = try StoreFolder(path: configuration.folder)
                folder = .open(opened)
                // A connection to an index that nobody could change is not to be trusted once somebody can.
                if !opened.isReadOnly || present.hasMoved { noteNewIndex() }
                return opened
            case .unopened:
                let opened = try StoreFolder(path: configuration.folder)
                folder = .open(opened)
                return opened
            }
        }
    }

    /// Closes the folder for good.
    func close() {
        folder.withLock { $0 = .closed }
        // A thread that waits for the disk to open the index closes the connection when the store is released.
        _ = damaged.withLockIfAvailable { $0 = nil }
    }

    /// The number of pages at which SQLite's write-ahead log is copied into the database, so that the log takes about a
    /// fiftieth of the byte limit. A page that has changed many times is copied once, so a long log saves work.
    private var logPageCount: Int {
        min(max(configuration.byteLimit / 50 / 4_096, 16), 4_000)
    }
}
