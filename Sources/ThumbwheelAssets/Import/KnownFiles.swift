import Foundation

/// A table of the files of a library's assets by path; paths are compared byte by byte. Making it takes time linear in
/// the library.
struct KnownFiles: Sendable {
    let snapshot: Snapshot
    /// The rows by the hash of their paths, a few bytes for each; a lookup then compares the path itself.
    private var rows: [Int: UInt32] = [:]
    /// The rows whose path has the same hash as another path, which hardly ever happens.
    private var others: [Int: [UInt32]] = [:]

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        for (index, chunk) in snapshot.chunks.enumerated() {
            chunk.columns.mask(.alive).forEachSlot { slot in
                guard let path = Self.path(chunk.columns, slot) else { return }
                insert(Chunk.row(index, slot), at: path)
            }
        }
    }

    /// Enters the path of a row. If several assets share a file, the last asset is kept.
    private mutating func insert(_ row: UInt32, at path: FilePath) {
        let hash = path.hashValue
        guard let first = rows[hash] else {
            rows[hash] = row
            return
        }
        if self.path(of: first) == path {
            rows[hash] = row
        } else if let index = others[hash]?.firstIndex(where: { self.path(of: $0) == path }) {
            others[hash]?[index] = row
        } else {
            others[hash, default: []].append(row)
        }
    }

    /// The path of the file that an asset was imported from, whether or not the asset is adjusted.
    static func path(_ columns: ChunkColumns, _ slot: Int) -> FilePath? {
        columns.resources(at: slot).first { $0.kind == .photo }?.filePath.map(FilePath.init)
    }

    private func path(of row: UInt32) -> FilePath? {
        Self.path(snapshot.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
    }

    func row(ofFile path: FilePath) -> UInt32? {
        let hash = path.hashValue
        guard let first = rows[hash] else { return nil }
        return self.path(of: first) == path ? first : others[hash]?.first { self.path(of: $0) == path }
    }

    func isUnchanged(_ file: FolderWalk.File) -> Bool {
        guard let row = row(ofFile: file.path) else { return false }
        let columns = snapshot.chunks[Chunk.index(of: row)].columns
        let slot = Chunk.slot(of: row)
        let byteCount = columns.details[slot]?.adjustment?.originalFileSize ?? Int(columns.fileSize[slot])
        return byteCount == file.byteCount
            && columns.fileDate(at: slot) == file.modificationDate.timeIntervalSinceReferenceDate
    }

    /// The rows whose files are in or below a folder.
    func rows(below folder: FilePath) -> [(row: UInt32, path: FilePath)] {
        (Array(rows.values) + others.values.flatMap(\.self)).sorted().compactMap { row in
            guard let path = path(of: row), path.isBelow(folder) else { return nil }
            return (row, path)
        }
    }
}
