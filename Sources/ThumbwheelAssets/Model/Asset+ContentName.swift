import Foundation
import ThumbwheelCore

extension Asset {
    /// Returns a name for the bytes of one picture of the asset; nil if they have no name. Two assets with the same
    /// name show the same picture.
    ///
    /// - A file that an import has found is named by its device number, inode number, length, date, and first and last
    ///   bytes. So a library that is filled by a new import, instead of loaded from its file, gives the same names.
    /// - An edited picture, and every other picture of a library, is named by its picture version. Saving and loading a
    ///   library keeps these versions.
    /// - The pictures of an asset outside any library have no names, because a change of its file would not be noticed.
    package func contentName(of version: ImageVersion) -> String? {
        let facts = facts
        let isFile = facts.adjustment == nil || version != .current
        if isFile, let date = facts.fileDate, facts.mark.node != 0, facts.mark.sample != 0 {
            let mark = facts.mark
            return "file|\(mark.node)|\(mark.sample)|\(facts.fileSize)|\(date.timeIntervalSince1970.bitPattern)"
                + "|\(version.rawValue)"
        }
        let picture = pictureVersion(of: version)
        guard picture.timeline != 0 else { return nil }
        return "picture|\(picture.timeline)|\(picture.number)|\(localIdentifier)|\(version.rawValue)"
    }
}
