import Foundation
import ThumbwheelCore

extension Asset {
    /// Returns a text that identifies one picture of the asset; nil if there is no such text. Two assets with the same
    /// text show the same picture.
    ///
    /// - For a file that an import has found, the text is made from the file's device number, inode number, length,
    ///   date, and first and last bytes. So the text stays the same if the file is imported again into a new library.
    /// - For any other picture in a library, such as an edited one, the text is made from the picture version. This
    ///   version is saved with the library.
    /// - A picture of an asset outside any library has no such text, because a change of its file would not be noticed.
    ///
    /// - Parameter isShared: whether the text for an imported file has to be the same on all servers that have imported
    ///   the file. If so, the text contains the file's name instead of the device and inode numbers, which differ from
    ///   server to server.
    package func contentName(of version: ImageVersion, isShared: Bool = false) -> String? {
        let facts = facts
        let isFile = facts.adjustment == nil || version != .current
        if isFile, let date = facts.newestFileDate, facts.mark.node != 0, facts.mark.sample != 0 {
            let mark = facts.mark
            let node = isShared ? originalFilename : "\(mark.node)"
            return "file|\(node)|\(mark.sample)|\(facts.fileSize)|\(date.timeIntervalSince1970.bitPattern)"
                + "|\(version.rawValue)"
        }
        let picture = pictureVersion(of: version)
        guard picture.timeline != 0 else { return nil }
        return "picture|\(picture.timeline)|\(picture.number)|\(localIdentifier)|\(version.rawValue)"
    }
}
