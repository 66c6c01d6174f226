import ThumbwheelCore
import ThumbwheelFormats

/// The outcome of an import, file by file.
public struct ImportReport: Sendable {
    /// A file that was not imported, and why.
    public struct Skip: Sendable, Equatable {
        /// The path of the file.
        public var path: String
        /// The reason why it was not imported.
        public var reason: SkipReason

        /// Makes an entry of its two parts.
        public init(path: String, reason: SkipReason) {
            self.path = path
            self.reason = reason
        }
    }

    /// The reasons why a file is not imported.
    public enum SkipReason: Sendable, Equatable {
        /// The bytes are of no image type that this library knows.
        case notAnImage
        /// An image whose head is damaged or beyond what a reader follows.
        case damaged(HeadError)
        /// The file cannot be read.
        case unreadable(ByteSourceError)
        /// A pipe, a socket, a device.
        case notAFile
        /// The file's or the folder's name is no UTF-8, so that no text can name it. The path shows it repaired.
        case nameNotUnicode
    }

    /// The new assets, in the order of import.
    public var added: FetchResult<Asset>
    /// Assets whose files have another size or modification date than when they were imported: each with a new content
    /// version. Only the heads of files are read, so that a file with a new date counts as another picture.
    public var changed: FetchResult<Asset>
    /// Assets whose files are gone from the folders that were imported. They are in Recently Deleted, and come back when
    /// their files do.
    public var removed: FetchResult<Asset>
    /// Assets that were in Recently Deleted because their files were gone, and whose files are there again as they were.
    public var restored: FetchResult<Asset>
    /// Files that were in the library already, and are as they were.
    public var alreadyPresentCount: Int
    /// The files that were not imported: first those that could not be entered or opened, then those that were read.
    public var skipped: [Skip]
}
