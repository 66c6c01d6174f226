/// The results of an import before its transaction: the files that were found, and the contents that were read.
struct ImportFindings {
    let walk: FolderWalk
    /// The paths of the files that were read.
    let read: Set<FilePath>
    /// The photographs among the files that were read, by the paths of their main files (the photograph or video
    /// itself).
    var photographs: ImportedPhotographs
    /// New marks of unchanged files, by path. A mark is the data by which imports recognize a moved or renamed file.
    /// The library has no mark for these files yet, or an outdated one.
    let marks: [FilePath: FileMark]
    /// The digests of files that could be mistaken for one another, by path.
    let digests: [FilePath: ContentDigest]
}
