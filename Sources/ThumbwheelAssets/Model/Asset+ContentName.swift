import Foundation
import ThumbwheelCore

extension Asset {
    /// A name of the bytes behind a version of the asset, equal in every process that sees the same bytes; nil if there is
    /// none. Two assets with the same name show the same picture.
    ///
    /// - A file that an import has found is named by its device, node, length, date and a sample of its bytes. So a library that
    ///   is filled anew, instead of loaded, gives the same names.
    /// - An edited picture, and every other picture of a library, is named by its picture version. Libraries that are saved and
    ///   loaded keep those.
    /// - An asset outside any library has no name: nobody would notice a change of its file.
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
