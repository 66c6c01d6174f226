import Foundation
import ThumbwheelCore

extension Asset {
    /// Returns whether an open file is still the one that the asset shows, as far as length, date, place on the disk and
    /// first and last bytes tell. A file may have been written again since the library looked at it, or another may have
    /// taken its place; its bytes then belong to no version of the asset that the library knows.
    ///
    /// - Parameters:
    ///   - file: the opened file of the version's resource.
    ///   - version: the version of the picture that the file shows.
    /// - Returns: true as well if the library knows no date, because the program that uses it has not stated one.
    package func isUnchanged(_ file: FileByteSource, of version: ImageVersion = .current) -> Bool {
        let facts = facts
        guard let newest = facts.newestFileDate else { return true }
        guard let status = try? FileStatus(descriptor: file.descriptor),
            status.byteCount == fileSize(of: version) ?? status.byteCount
        else { return false }
        // The library knows the date of the newest of the asset's files only.
        let fileCount = Set(facts.resources.compactMap { $0.filePath.map(FilePath.init) }).count
        guard fileCount > 1 ? status.modificationDate <= newest : status.modificationDate == newest else {
            return false
        }
        return facts.mayBeMarked(file, status.identity)
    }
}

extension AssetFacts {
    /// Returns whether an open file may be the one that an import has marked, if it is the asset's main file. Whoever puts
    /// another file in its place can give that the same length and date, but neither the same place on the disk nor the same
    /// bytes. A place alone proves nothing: a copy that was brought back from a backup has another.
    fileprivate func mayBeMarked(_ file: FileByteSource, _ identity: FileStatus.Identity) -> Bool {
        guard mark.node != 0, mark.sample != 0, let main = Self.mainResource(of: resources)?.filePath,
            FilePath(main) == FilePath(file.path)
        else { return true }
        return identity.word == mark.node || FileMark.sample(of: file) == mark.sample
    }
}
