import Foundation
import ThumbwheelCore

/// Finds the assets whose files are now under other paths (Semantics.md, "Files that move").
///
/// There are two searches, one after the other. The first compares device number, inode number, size and date, and
/// reads no file. The second compares the size and the sample (a digest of the first and last bytes) of the photographs
/// that the import has read.
struct MovedFiles {
    private let walk: FolderWalk
    private let token: CancellationToken
    /// The paths of all files that the search in folders has found.
    private let present: Set<FilePath>
    private var claimed: Set<UInt32> = []
    /// The paths that now lead to another file than the one that was imported from there. So the imported file is no
    /// longer at its path.
    private var taken: Set<FilePath> = []
    /// The digests that were computed to find out which of several similar files was moved, by path.
    private(set) var digests: [FilePath: ContentDigest] = [:]

    /// A file at a path for which the library has no asset, and the rows of the assets to which it may belong.
    private struct Candidate {
        let file: FolderWalk.File
        let rows: ArraySlice<UInt32>
    }

    init(_ walk: FolderWalk, token: CancellationToken) {
        self.walk = walk
        self.token = token
        present = Set(walk.files.lazy.map(\.path))
    }

    // MARK: Finding moved files by device and inode number

    /// Finds the assets whose only file has moved to a new path. The file at the new path has the device number, inode
    /// number, size and date of the asset's file.
    ///
    /// A date in whole seconds may come from an archive, which gives many files the same date. Files with such dates
    /// are left to the second search, `findBySample`, which compares their bytes.
    mutating func findByNode(in known: inout KnownFiles) {
        var wanted: Set<UInt64> = []
        var possiblyMoved: [FolderWalk.File] = []
        for file in walk.files where mayHaveMoved(file, known) {
            wanted.insert(file.node)
            possiblyMoved.append(file)
        }
        guard !wanted.isEmpty else { return }
        let rows = RowsByWord(known.snapshot, in: { $0.nodes }, with: wanted)
        guard !rows.isEmpty else { return }
        func mayBe(_ row: UInt32, of file: FolderWalk.File) -> Bool {
            !known.hasCompanions(row) && !known.isRecorded(row, at: file.path)
                && known.isUnchanged(file, of: row, newestDate: file.modificationDate)
        }
        let candidates = possiblyMoved.compactMap { file -> Candidate? in
            guard file.modificationDate.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) != 0 else {
                return nil
            }
            let rows = rows[file.node]
            // Uses `rows` as it is if every asset in it is a possible owner of the file. In most cases this is so, and
            // making a new array for each file would take much time.
            if rows.allSatisfy({ mayBe($0, of: file) }) {
                return rows.isEmpty ? nil : Candidate(file: file, rows: rows)
            }
            let possible = rows.filter { mayBe($0, of: file) }
            return possible.isEmpty ? nil : Candidate(file: file, rows: possible[...])
        }
        for candidate in candidates where known.row(recordedAt: candidate.file.path) != nil {
            taken.insert(candidate.file.path)
        }
        known.reserveMoves(candidates.count)
        // Matches the files with assets. Several files or several assets may have the same device and inode number.
        // Such files have the same contents, so any match between them is correct. In the first round, a file is
        // matched with an asset whose file had the same name. In the second round, the files that are left are matched,
        // in order, with the assets that are left.
        let isAmbiguous = possiblyMoved.count != wanted.count || candidates.contains { $0.rows.count > 1 }
        for namesCount in isAmbiguous ? [true, false] : [false] {
            for candidate in candidates where !isAmbiguous || known.moved[candidate.file.path] == nil {
                let row = candidate.rows.first { row in
                    (!namesCount || Self.haveOneName(known.path(of: row), candidate.file.path)) && isLost(row, known)
                }
                if let row { claim(row, candidate.file, &known) }
            }
        }
    }

    /// Returns whether a file may have been moved to its path from another path, at which the library has an asset.
    /// There are two cases:
    ///
    /// - No asset in the library has a file with this path.
    /// - An asset has its main file at this path, but the library has stored another inode number for that file.
    private func mayHaveMoved(_ file: FolderWalk.File, _ known: KnownFiles) -> Bool {
        if known.row(ofCompanion: file.path) != nil { return false }
        guard let row = known.row(recordedAt: file.path) else { return true }
        let node = known.mark(of: row).node
        return node != 0 && node != file.node
    }

    // MARK: Finding moved files by size, first and last bytes, and digests

    /// Finds the assets to which files belonged before the files were moved. It looks at the photographs and videos
    /// that this import has read. The file and the asset must have the same size and sample (a digest of the first and
    /// last bytes). If several files or several assets have the same size and sample, digests of the whole files
    /// decide.
    mutating func findBySample(
        _ files: [FolderWalk.File], _ outcomes: [HeadReading.Outcome], in known: inout KnownFiles
    ) {
        var readers: [UInt64: [(file: FolderWalk.File, mark: FileMark)]] = [:]
        var seen: Set<FilePath> = []
        for (file, outcome) in zip(files, outcomes) {
            guard let photograph = outcome.reading, photograph.mark.sample != 0,
                known.row(ofFile: file.path) == nil, known.row(ofCompanion: file.path) == nil,
                seen.insert(file.path).inserted
            else { continue }
            readers[photograph.mark.sample, default: []].append((file, photograph.mark))
        }
        guard !readers.isEmpty else { return }
        let rows = RowsByWord(known.snapshot, in: { $0.samples }, with: Set(readers.keys))
        for (sample, found) in readers.sorted(by: { $0.key < $1.key }) {
            let candidates = rows[sample]
            for size in Set(found.map(\.file.byteCount)).sorted() {
                let files = found.map(\.file).filter { $0.byteCount == size }.sorted { $0.path.precedes($1.path) }
                let rows = candidates.filter { row in
                    let columns = known.snapshot.chunks[Chunk.index(of: row)].columns
                    return columns.originalFileSize(at: Chunk.slot(of: row)) == size && isLost(row, known)
                }
                match(files, rows, &known)
            }
        }
    }

    private mutating func match(_ files: [FolderWalk.File], _ rows: [UInt32], _ known: inout KnownFiles) {
        guard !rows.isEmpty else { return }
        let kept = rows.map { known.digest(of: $0) }
        let isUnambiguous = files.count == 1 && rows.count == 1
        for rank in Rank.allCases {
            for file in files where known.moved[file.path] == nil {
                let row = zip(rows, kept).first { row, digest in
                    guard !claimed.contains(row), rank.holds(file, row, known) else { return false }
                    // The asset has no digest if no other file had the same first and last bytes when the asset was
                    // imported. So only the size and the first and last bytes can be compared, and they are equal.
                    // This is enough if the file also has the same name, or if it has the same date or is so short
                    // that all of its bytes have been compared. In the second case, the file must also have the same
                    // inode number (rank `.node`), or there must be only one file and only one asset.
                    guard let digest else {
                        return rank == .name
                            || (rank == .node || isUnambiguous) && known.mayBeUnchanged(file, of: row)
                    }
                    return self.digest(of: file) == digest
                }
                if let row { claim(row.0, file, &known) }
            }
        }
    }

    /// How well a file fits an asset with the same size and the same first and last bytes, the best fit first: it has
    /// the same inode number, the same name, or neither. All files are tried with one rank before the next rank.
    private enum Rank: CaseIterable {
        case node, name, any

        func holds(_ file: FolderWalk.File, _ row: UInt32, _ known: KnownFiles) -> Bool {
            switch self {
            case .node: known.mark(of: row).node == file.node
            case .name: MovedFiles.haveOneName(known.path(of: row), file.path)
            case .any: true
            }
        }
    }

    private mutating func digest(of file: FolderWalk.File) -> ContentDigest? {
        if let digest = digests[file.path] { return digest }
        guard let source = try? FileByteSource(path: file.path.text),
            let digest = try? ContentDigest(of: source, token: token)
        else { return nil }
        digests[file.path] = digest
        return digest
    }

    // MARK: Recording moves, and checks of files and names

    private mutating func claim(_ row: UInt32, _ file: FolderWalk.File, _ known: inout KnownFiles) {
        claimed.insert(row)
        known.move(row, to: file.path)
    }

    /// Returns whether the file of an asset is gone from its path. The file of another asset may be there now.
    private func isLost(_ row: UInt32, _ known: KnownFiles) -> Bool {
        guard !claimed.contains(row), let path = known.path(of: row) else { return false }
        if present.contains(path) { return taken.contains(path) }
        if walk.wasSearched(path) { return walk.isGone(path) }
        do throws(FileStatus.Failure) {
            _ = try FileStatus(path: path.text)
            return false
        } catch {
            return error.isAbsence
        }
    }

    fileprivate static func haveOneName(_ one: FilePath?, _ other: FilePath) -> Bool {
        guard let one else { return false }
        return FilePath(one.lastComponent) == FilePath(other.lastComponent)
    }
}
