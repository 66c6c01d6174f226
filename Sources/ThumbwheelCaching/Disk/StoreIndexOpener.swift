import ThumbwheelLocks

/// Opens connections to the index of a store, and its folder before the first of them.
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

    init(_ configuration: DiskStore.Configuration, _ segments: SegmentFolder, _ condition: StoreCondition) {
        (self.configuration, self.segments, self.condition) = (configuration, segments, condition)
    }

    /// Opens a connection to the index. If the index is damaged and no other process uses the store, an empty index
    /// replaces it.
    ///
    /// - Throws: `StoreError`; `.closed` after `close`, so that nothing opens the folder again.
    func open() throws(StoreError) -> StoreIndex {
        let folder = try openFolder()
        do throws(StoreError) {
            // SQLite finds damage inside the index only when it reads the damaged page, long after opening the file.
            if condition.needsNewIndex { throw .damagedIndex(code: 0) }
            return try openIndex(in: folder)
        } catch .damagedIndex {
            try folder.deleteIndex()
            for number in segments.numbers { segments.delete(number) }
            condition.noteNewIndex()
            return try StoreIndex(path: folder.indexPath, logPageCount: logPageCount)
        }
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

    private func openFolder() throws(StoreError) -> StoreFolder {
        try folder.withLock { folder throws(StoreError) -> StoreFolder in
            switch folder {
            case .open(let present): return present
            case .closed: throw .closed
            case .unopened:
                let opened = try StoreFolder(path: configuration.folder)
                folder = .open(opened)
                return opened
            }
        }
    }

    /// Closes the folder for good.
    func close() { folder.withLock { $0 = .closed } }

    /// The number of pages at which SQLite's write-ahead log is copied into the database, so that the log takes about a
    /// hundredth of the byte limit.
    private var logPageCount: Int {
        min(max(configuration.byteLimit / 100 / 4_096, 16), 1_000)
    }
}
