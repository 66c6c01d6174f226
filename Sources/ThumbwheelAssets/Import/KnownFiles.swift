import Foundation

/// The files that a library's assets are in, by their paths. Linear in the library to make.
struct KnownFiles: Sendable {
    let snapshot: Snapshot
    private let rows: [NameDigest: UInt32]

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        var rows: [NameDigest: UInt32] = [:]
        for (index, chunk) in snapshot.chunks.enumerated() {
            chunk.columns.mask(.alive).forEachSlot { slot in
                guard let path = Self.path(chunk.columns, slot) else { return }
                rows[NameDigest(path)] = Chunk.row(index, slot)
            }
        }
        self.rows = rows
    }

    /// The file that an asset was imported from, adjusted or not.
    static func path(_ columns: ChunkColumns, _ slot: Int) -> String? {
        columns.resources(at: slot).first { $0.kind == .photo }?.filePath
    }

    func row(ofFile path: String) -> UInt32? { rows[NameDigest(path)] }

    func isUnchanged(_ file: FolderWalk.File) -> Bool {
        guard let row = row(ofFile: file.path) else { return false }
        let columns = snapshot.chunks[Chunk.index(of: row)].columns
        let slot = Chunk.slot(of: row)
        let byteCount = columns.details[slot]?.adjustment?.originalFileSize ?? Int(columns.fileSize[slot])
        return byteCount == file.byteCount
            && columns.fileDate(at: slot) == file.modificationDate.timeIntervalSinceReferenceDate
    }

    /// The rows whose files are in or below a folder.
    func rows(below folder: String) -> [(row: UInt32, path: String)] {
        let prefix = folder == "/" ? folder : folder + "/"
        return rows.values.sorted().compactMap { row in
            let columns = snapshot.chunks[Chunk.index(of: row)].columns
            guard let path = Self.path(columns, Chunk.slot(of: row)), path.hasPrefix(prefix) else { return nil }
            return (row, path)
        }
    }
}
