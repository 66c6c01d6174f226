import Foundation

/// Decides which of the files that a search has found must be read. If no file of an asset has changed and none is
/// gone, the files of the asset are not read.
struct FileTriage {
    private struct Found {
        /// The main file of the asset: its photograph or video, and not a file that only accompanies it. Nil if the
        /// search has not found the main file.
        var main: FolderWalk.File?
        var paths: Set<FilePath> = []
        var newestDate = Date.distantPast
    }

    private let walk: FolderWalk
    private let known: KnownFiles
    /// The files of assets that have more than one file, by the row of the asset.
    private var found: [UInt32: Found] = [:]

    init(_ walk: FolderWalk, _ known: KnownFiles) {
        self.walk = walk
        self.known = known
        guard known.hasCompanions else { return }
        for file in walk.files {
            let main = known.row(ofFile: file.path)
            guard let row = main ?? known.row(ofCompanion: file.path), known.hasCompanions(row) else { continue }
            if main != nil { found[row, default: Found()].main = file }
            found[row, default: Found()].paths.insert(file.path)
            found[row]?.newestDate.becomeLater(file.modificationDate)
        }
    }

    /// The files that have to be read: new files, and all files of an asset if one of them has changed or is gone.
    var filesToRead: [FolderWalk.File] {
        let unchangedRows = Set(found.filter { isUnchanged($0.key, $0.value) }.keys)
        // The caller may have given a file more than once, but it is read only once.
        var seen: Set<FilePath> = []
        return walk.files.filter { file in
            guard let row = known.row(ofFile: file.path) ?? known.row(ofCompanion: file.path) else {
                return seen.insert(file.path).inserted
            }
            let isUnchanged =
                known.hasCompanions(row)
                ? unchangedRows.contains(row) : known.isUnchanged(file, of: row, newestDate: file.modificationDate)
            return !isUnchanged && seen.insert(file.path).inserted
        }
    }

    private func isUnchanged(_ row: UInt32, _ found: Found) -> Bool {
        var newestDate = found.newestDate
        for path in known.files(of: row) where !found.paths.contains(path) {
            if walk.isGone(path) { return false }
            // The search has not found this file, but it may still exist: it may lie outside the searched folders, or
            // be left out because it is still being written. So its date is read here.
            if let date = try? FileStatus(path: path.text).modificationDate { newestDate.becomeLater(date) }
        }
        // There are two cases:
        //
        // - The search has found the asset's main file (its photograph or video). The asset is unchanged if this file
        //   has the same size as before, and the newest date of all the asset's files is the same as before.
        // - The search has not found the main file. The asset is treated as unchanged, because an asset is updated only
        //   together with its main file. Reading its other files would be useless.
        return found.main.map { known.isUnchanged($0, of: row, newestDate: newestDate) } ?? true
    }

    /// Returns the files that have not been read but may belong to the same photograph as one of the files in `read`.
    func relatives(of read: [FolderWalk.File], _ outcomes: [HeadReading.Outcome]) -> [FolderWalk.File] {
        var keys: Set<String> = []
        for (file, outcome) in zip(read, outcomes) {
            if case .skipped = outcome { continue }
            keys.insert(FileKinship(file.path).key)
        }
        if keys.isEmpty || read.count == walk.files.count { return [] }
        let paths = Set(read.map(\.path))
        return walk.files.filter { keys.contains(FileKinship($0.path).key) && !paths.contains($0.path) }
    }
}

extension Date {
    fileprivate mutating func becomeLater(_ other: Date) { self = max(self, other) }
}
