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
}
