import Foundation

/// A table of the files of a library's assets, by path. Paths are compared byte by byte. Making the table takes time
/// linear in the number of assets in the library.
struct KnownFiles: Sendable {
    private(set) var snapshot: Snapshot
    /// For each hash of a path, the row of an asset whose main file has a path with that hash. The paths themselves are
    /// not stored, in order to save memory. A lookup reads the path of that asset and compares it.
    private var rows: [Int: UInt32] = [:]
    /// The rows for which `rows` has no room, by the hash of their paths. `rows` has one row for each hash. If several
    /// paths have the same hash, their other rows are in this dictionary. Paths hardly ever have the same hash.
    private var others: [Int: [UInt32]] = [:]
    /// The rows of assets, by the paths of their files other than the main file: a paired video, a RAW, a rendering or
    /// adjustment data.
    private var companions: [FilePath: UInt32] = [:]
    /// The rows of assets whose files have been found under other paths, by the new paths.
    private(set) var moved: [FilePath: UInt32] = [:]
    private var movedRows: Set<UInt32> = []
    /// The number of entries that are out of date because of later snapshots. They use memory until the whole table is
    /// made again.
    private var outdatedCount = 0

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        for (index, chunk) in snapshot.chunks.enumerated() {
            chunk.columns.mask(.alive).forEachSlot { insert(Chunk.row(index, $0), chunk.columns, $0) }
        }
    }

    /// Updates the table to a later snapshot of the same library. The time is linear in the numbers of chunks and of
    /// changed rows. If rows have been renumbered, the whole table is made again.
    mutating func update(to later: Snapshot) {
        moved = [:]
        movedRows = []
        if later === snapshot { return }
        guard later.numbering == snapshot.numbering, outdatedCount <= rows.count / 2 + 1024 else {
            self = KnownFiles(later)
            return
        }
        let changed = later.rowsChanged(since: snapshot)
        outdatedCount += changed.count
        // The entry for the former path of a moved file need not be removed. A lookup accepts an entry only if the
        // row's path in `snapshot` is the path that is looked up.
        snapshot = later
        for row in changed where later.flag(.alive, of: row) {
            insert(row, later.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
        }
    }

    /// Returns a table for `later`, which is this table's snapshot or a newer one. The moves that are noted in this
    /// table are kept, except for assets that were deleted, or got another path, between the two snapshots.
    func carryingMoves(to later: Snapshot) -> KnownFiles {
        if later === snapshot { return self }
        var table = self
        table.update(to: later)
        for (path, former) in moved {
            guard let row = later.row(of: snapshot.identifier(of: former)), let from = self.path(of: former),
                table.isRecorded(row, at: from)
            else { continue }
            table.move(row, to: path)
        }
        return table
    }

    private mutating func insert(_ row: UInt32, _ columns: ChunkColumns, _ slot: Int) {
        if let path = Self.path(columns, slot) { insert(row, at: path) }
        guard columns.folder[slot] == SettledColumns.noFolder else { return }
        for path in Self.companions(columns, slot) { companions[path] = row }
    }

    /// Adds the path of a row. If several assets share a file, only the last asset is found by its path.
    private mutating func insert(_ row: UInt32, at path: FilePath) {
        let hash = path.hashValue
        guard let first = rows[hash] else {
            rows[hash] = row
            return
        }
        if first == row || isRecorded(first, at: path) {
            rows[hash] = row
        } else if let index = others[hash]?.firstIndex(where: { isRecorded($0, at: path) }) {
            others[hash]?[index] = row
        } else {
            others[hash, default: []].append(row)
        }
    }

    /// Returns the path of the file from which an asset was imported, even if the asset is adjusted; nil if its
    /// photograph or video is not a file.
    static func path(_ columns: ChunkColumns, _ slot: Int) -> FilePath? {
        columns.mainPath(at: slot)
    }

    private static func companions(_ columns: ChunkColumns, _ slot: Int) -> [FilePath] {
        var resources = columns.resources(at: slot)
        if let main = AssetFacts.mainIndex(of: resources) { resources.remove(at: main) }
        return resources.compactMap { $0.filePath.map(FilePath.init) }
    }

    private func read<Value>(_ row: UInt32, _ body: (ChunkColumns, Int) -> Value) -> Value {
        body(snapshot.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
    }

    /// Returns the row of the asset that has this file in addition to its main file; nil if there is none.
    func row(ofCompanion path: FilePath) -> UInt32? {
        guard let row = companions[path], isAlive(row) else { return nil }
        return outdatedCount == 0 || read(row, Self.companions).contains(path) ? row : nil
    }

    private func isAlive(_ row: UInt32) -> Bool { snapshot.flag(.alive, of: row) }

    /// Whether any asset has files other than its main file. If none has, an import skips the search for such files.
    var hasCompanions: Bool { !companions.isEmpty }

    /// Returns whether an asset has files other than its main file.
    func hasCompanions(_ row: UInt32) -> Bool {
        read(row) { $0.folder[$1] == SettledColumns.noFolder && !Self.companions($0, $1).isEmpty }
    }

    /// Returns the paths of all files of an asset.
    func files(of row: UInt32) -> [FilePath] {
        read(row) { $0.resources(at: $1).compactMap { $0.filePath.map(FilePath.init) } }
    }

    /// Returns the path that the library has stored for an asset's main file, its photograph or video. Nil if the
    /// photograph or video is not in a file, or if the asset was deleted for good.
    func path(of row: UInt32) -> FilePath? { isAlive(row) ? read(row, Self.path) : nil }

    /// Returns whether `path` is the path that the library has stored for an asset's main file, its photograph or
    /// video.
    func isRecorded(_ row: UInt32, at path: FilePath) -> Bool {
        isAlive(row) && read(row) { $0.isMainFile(at: $1, in: path) }
    }

    /// Returns the digest of an asset's main file, its photograph or video; nil if it has not been computed.
    func digest(of row: UInt32) -> ContentDigest? {
        read(row) { $0.digests.digest(at: $1, original: $0.originalPicture(at: $1)) }
    }

    func mark(of row: UInt32) -> FileMark { read(row) { $0.mark(at: $1) } }

    /// Returns the row of the asset whose main file (its photograph or video) is at this path. If the file of an asset
    /// has moved, the asset is found only by the new path.
    func row(ofFile path: FilePath) -> UInt32? {
        if !moved.isEmpty, let row = moved[path] { return row }
        return row(recordedAt: path).flatMap { movedRows.contains($0) ? nil : $0 }
    }

    /// Returns the row of the asset whose main file is at this path according to the library, even if the file has
    /// moved.
    func row(recordedAt path: FilePath) -> UInt32? {
        let hash = path.hashValue
        guard let first = rows[hash] else { return nil }
        return isRecorded(first, at: path) ? first : others[hash]?.last { isRecorded($0, at: path) }
    }

    /// Reserves memory for this number of moved files.
    mutating func reserveMoves(_ count: Int) {
        moved.reserveCapacity(moved.count + count)
        movedRows.reserveCapacity(movedRows.count + count)
    }

    /// Records that the file of an asset was found under another path.
    mutating func move(_ row: UInt32, to path: FilePath) {
        moved[path] = row
        movedRows.insert(row)
    }

    func hasMoved(_ row: UInt32) -> Bool { movedRows.contains(row) }

    /// Returns whether an asset's files seem to be the same as at its last import. Two values are compared: the size of
    /// the main file (the photograph or video), and the latest modification date among all files of the asset.
    ///
    /// - Parameter newestDate: the latest modification date, at present, among all files of the asset. It covers all
    ///   files, so that a change of any of them is noticed.
    func isUnchanged(_ file: FolderWalk.File, of row: UInt32, newestDate: Date) -> Bool {
        read(row) { columns, slot in
            columns.originalFileSize(at: slot) == file.byteCount
                && columns.newestFileDate(at: slot) == newestDate.timeIntervalSinceReferenceDate
        }
    }

    /// Returns whether a file with the size and the first and last bytes of an asset's main file (its photograph or
    /// video) may be taken for that file under another name. It is so short that these are all of its bytes, or it has
    /// the date that the library has stored. The library stores only the date of the newest of several files.
    func mayBeUnchanged(_ file: FolderWalk.File, of row: UInt32) -> Bool {
        if file.byteCount <= FileMark.completeByteCount { return true }
        let date = file.modificationDate.timeIntervalSinceReferenceDate
        return read(row) { columns, slot in
            let newest = columns.newestFileDate(at: slot)
            return columns.folder[slot] == SettledColumns.noFolder ? date <= newest : date == newest
        }
    }

    /// Returns the rows of the assets whose main file is at or below one of the given paths. The rows are in ascending
    /// order. The time is linear in the number of assets.
    ///
    /// To save time, the path of a file is read only in two cases:
    ///
    /// - The columns contain the file's folder, and the folder is one of the given paths or below or above one of them.
    /// - The columns do not contain the file's folder, for example because the asset has several files.
    ///
    /// - Parameter isWanted: returns whether a row belongs to the result. A row for which it returns false is left out.
    func rows(
        below folders: [FilePath], where isWanted: (UInt32, FilePath) -> Bool
    ) -> [(row: UInt32, path: FilePath)] {
        guard !folders.isEmpty else { return [] }
        func isBelow(_ path: FilePath) -> Bool { folders.contains { path == $0 || path.isBelow($0) } }
        var found: [(row: UInt32, path: FilePath)] = []
        for (index, chunk) in snapshot.chunks.enumerated() {
            let columns = chunk.columns
            // Finds the folders that may contain wanted files. Such a folder is at or below one of the given paths, or
            // one of the given paths is below the folder.
            let mayHold = columns.folders.map { folder in
                let folder = FilePath(folder)
                return isBelow(folder) || folders.contains { $0.isBelow(folder) }
            }
            columns.mask(.alive).forEachSlot { slot in
                let folder = columns.folder[slot]
                guard folder == SettledColumns.noFolder || mayHold[Int(folder)], let path = Self.path(columns, slot),
                    isBelow(path)
                else { return }
                let row = Chunk.row(index, slot)
                // If several assets share a file, only the last of them is found by the path.
                if isWanted(row, path), row == self.row(recordedAt: path) { found.append((row, path)) }
            }
        }
        return found
    }
}
