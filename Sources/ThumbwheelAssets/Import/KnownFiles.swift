import Foundation

/// A table of the files of a library's assets by path; paths are compared byte by byte. Making it takes time linear in
/// the library.
struct KnownFiles: Sendable {
    private(set) var snapshot: Snapshot
    /// For each hash of a path, the row of an asset with such a path. The paths themselves are not stored, to save
    /// memory. A lookup reads the path of the row's asset and compares it.
    private var rows: [Int: UInt32] = [:]
    /// Further rows, by the hash of their paths. The paths differ from the path of the row in `rows`, but have the same
    /// hash; this hardly ever happens.
    private var others: [Int: [UInt32]] = [:]
    /// The rows by the paths of their files other than the photograph: a paired video, a RAW, a rendering, a recipe.
    private var companions: [FilePath: UInt32] = [:]
    /// The rows whose files have been found under other paths, by these paths.
    private(set) var moved: [FilePath: UInt32] = [:]
    private var movedRows: Set<UInt32> = []
    /// The number of entries that later snapshots have outdated; they take memory until the table is made anew.
    private var outdatedCount = 0

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        for (index, chunk) in snapshot.chunks.enumerated() {
            chunk.columns.mask(.alive).forEachSlot { insert(Chunk.row(index, $0), chunk.columns, $0) }
        }
    }

    /// Brings the table to a later snapshot of the same library. Takes time linear in the chunks and in the changed rows, unless
    /// rows were renumbered.
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
        // Entries of paths that rows have left stay. A lookup compares the path that the row has now.
        snapshot = later
        for row in changed where later.flag(.alive, of: row) {
            insert(row, later.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
        }
    }

    /// The table for a snapshot that may be later, with the same moves, except those of assets that were changed or deleted
    /// meanwhile.
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

    /// Enters the path of a row. If several assets share a file, the last asset is kept.
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

    /// The path of the file that an asset was imported from, even if the asset is adjusted. Nil if its photograph is
    /// not in a file.
    static func path(_ columns: ChunkColumns, _ slot: Int) -> FilePath? {
        columns.photographPath(at: slot)
    }

    private static func companions(_ columns: ChunkColumns, _ slot: Int) -> [FilePath] {
        columns.resources(at: slot).compactMap { $0.type == .photo ? nil : $0.filePath.map(FilePath.init) }
    }

    private func read<Value>(_ row: UInt32, _ body: (ChunkColumns, Int) -> Value) -> Value {
        body(snapshot.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
    }

    /// The row of the asset to which a file belongs that the asset is not named after.
    func row(ofCompanion path: FilePath) -> UInt32? {
        guard let row = companions[path], isAlive(row) else { return nil }
        return outdatedCount == 0 || read(row, Self.companions).contains(path) ? row : nil
    }

    private func isAlive(_ row: UInt32) -> Bool { snapshot.flag(.alive, of: row) }

    /// Whether any asset has files besides its photograph.
    var hasCompanions: Bool { !companions.isEmpty }

    /// Whether an asset has files besides its photograph.
    func hasCompanions(_ row: UInt32) -> Bool {
        read(row) { $0.folder[$1] == SettledColumns.noFolder && !Self.companions($0, $1).isEmpty }
    }

    /// All files of an asset.
    func files(of row: UInt32) -> [FilePath] {
        read(row) { $0.resources(at: $1).compactMap { $0.filePath.map(FilePath.init) } }
    }

    /// The path of the file that an asset is named after, as the library has it; nil if it is in no file or if the asset was
    /// deleted for good.
    func path(of row: UInt32) -> FilePath? { isAlive(row) ? read(row, Self.path) : nil }

    /// Whether a path is that of the file that an asset is named after, as the library has it.
    func isRecorded(_ row: UInt32, at path: FilePath) -> Bool {
        isAlive(row) && read(row) { $0.isPhotograph(at: $1, in: path) }
    }

    /// The digest of the asset's main file; nil if it has not been computed.
    func digest(of row: UInt32) -> ContentDigest? {
        read(row) { $0.digests.digest(at: $1, original: $0.originalPicture(at: $1)) }
    }

    func mark(of row: UInt32) -> FileMark { read(row) { $0.mark(at: $1) } }

    /// The row of the asset that is named after a file. An asset whose file has moved is found by the new path only.
    func row(ofFile path: FilePath) -> UInt32? {
        if !moved.isEmpty, let row = moved[path] { return row }
        return row(recordedAt: path).flatMap { movedRows.contains($0) ? nil : $0 }
    }

    /// The row of the asset for which the library has a path, even if its file has moved.
    func row(recordedAt path: FilePath) -> UInt32? {
        let hash = path.hashValue
        guard let first = rows[hash] else { return nil }
        return isRecorded(first, at: path) ? first : others[hash]?.last { isRecorded($0, at: path) }
    }

    /// Makes room for the moves of a number of files.
    mutating func reserveMoves(_ count: Int) {
        moved.reserveCapacity(moved.count + count)
        movedRows.reserveCapacity(movedRows.count + count)
    }

    /// Records that the file of an asset has been found under another path.
    mutating func move(_ row: UInt32, to path: FilePath) {
        moved[path] = row
        movedRows.insert(row)
    }

    func hasMoved(_ row: UInt32) -> Bool { movedRows.contains(row) }

    /// Whether the file of an asset is as it was at its last import.
    ///
    /// - Parameter newestDate: the modification date of the asset's newest file, by which a change of any of them shows.
    func isUnchanged(_ file: FolderWalk.File, of row: UInt32, newestDate: Date) -> Bool {
        read(row) { columns, slot in
            columns.originalFileSize(at: slot) == file.byteCount
                && columns.fileDate(at: slot) == newestDate.timeIntervalSinceReferenceDate
        }
    }

    /// The rows whose files are at or below some paths, in ascending order. Takes time linear in the library; paths of assets
    /// with a single file are read only where their folder is below one of these.
    ///
    /// - Parameter isWanted: whether a row may be of interest; rows that are not are left out early.
    func rows(
        below folders: [FilePath], where isWanted: (UInt32, FilePath) -> Bool
    ) -> [(row: UInt32, path: FilePath)] {
        guard !folders.isEmpty else { return [] }
        func isBelow(_ path: FilePath) -> Bool { folders.contains { path == $0 || path.isBelow($0) } }
        var found: [(row: UInt32, path: FilePath)] = []
        for (index, chunk) in snapshot.chunks.enumerated() {
            let columns = chunk.columns
            // A folder may have none of these above it and be above one of them itself.
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
                // Of several assets that share a file, the last is known.
                if isWanted(row, path), row == self.row(recordedAt: path) { found.append((row, path)) }
            }
        }
        return found
    }
}
