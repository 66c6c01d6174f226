import Foundation
import ThumbwheelCore

extension Asset {
    /// Returns whether an open file is still the one that the asset shows, as far as length and date tell. A file may
    /// have been written again since the library looked at it; its bytes then belong to a version of the asset that the
    /// library does not know yet.
    ///
    /// - Parameter file: the opened file of the asset's `resource`.
    /// - Returns: true as well if the library knows no date, because the program that uses it has not stated one.
    package func isUnchanged(_ file: FileByteSource) -> Bool {
        let facts = facts
        guard let newest = facts.newestFileDate else { return true }
        guard let status = try? FileStatus(descriptor: file.descriptor), status.byteCount == facts.fileSize else {
            return false
        }
        // The library knows the date of the newest of the asset's files only.
        let fileCount = Set(facts.resources.compactMap { $0.filePath.map(FilePath.init) }).count
        return fileCount > 1 ? status.modificationDate <= newest : status.modificationDate == newest
    }
}
