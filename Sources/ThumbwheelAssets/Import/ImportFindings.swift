/// What an import has found out before its transaction.
struct ImportFindings {
    let walk: FolderWalk
    /// The paths of the files that were read.
    let read: Set<FilePath>
    /// The photographs among the files that were read, by the paths of their files.
    let photographs: [FilePath: ImportedPhotograph]
    /// The marks of unchanged files whose assets have none, or an outdated one, by the paths of the files.
    let marks: [FilePath: FileMark]
    /// Digests of files that could be taken for one another, by the paths of the files.
    let digests: [FilePath: ContentDigest]
    /// The assets whose files have other paths now, by these paths, each with the path that the library has.
    let moves: [FilePath: (identifier: AssetIdentifier, from: FilePath)]

    init(
        _ walk: FolderWalk, read: Set<FilePath>, _ photographs: [FilePath: ImportedPhotograph],
        marks: [FilePath: FileMark], digests: [FilePath: ContentDigest], known: KnownFiles
    ) {
        (self.walk, self.read, self.photographs, self.marks, self.digests) = (walk, read, photographs, marks, digests)
        moves = known.moved.reduce(into: [:]) { moves, move in
            guard let from = known.path(of: move.value) else { return }
            moves[move.key] = (known.snapshot.identifier(of: move.value), from)
        }
    }

    /// The table of known files for a snapshot that may be later than the one in which the moves were found. An asset that was
    /// changed or deleted meanwhile does not move.
    func known(_ known: KnownFiles, in snapshot: Snapshot) -> KnownFiles {
        if known.snapshot === snapshot { return known }
        var known = known
        known.update(to: snapshot)
        for (path, move) in moves {
            guard let row = snapshot.row(of: move.identifier), known.path(of: row) == move.from else { continue }
            known.move(row, to: path)
        }
        return known
    }
}
