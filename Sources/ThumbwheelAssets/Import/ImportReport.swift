import ThumbwheelCore
import ThumbwheelFormats

/// The outcome of an import, file by file.
public struct ImportReport: Sendable {
    /// A file that was not imported, and the reason.
    public struct Skip: Sendable, Equatable {
        /// The path of the file.
        public var path: String
        /// The reason why it was not imported.
        public var reason: SkipReason

        /// Makes an entry from a path and a reason.
        public init(path: String, reason: SkipReason) {
            self.path = path
            self.reason = reason
        }
    }

    /// The reasons why a file is not imported.
    public enum SkipReason: Sendable, Equatable {
        /// The bytes are not in any image format that the library knows.
        case notAnImage
        /// The file is an image, but its head is damaged or too complex to be read.
        case damaged(HeadError)
        /// The file cannot be read.
        case unreadable(ByteSourceError)
        /// The path leads to a pipe, a socket or a device.
        case notAFile
        /// The name of the file or folder is not valid UTF-8, so no text can name it. The path contains a repaired form
        /// of the name.
        case nameNotUnicode
    }

    /// The new assets, in the order of import.
    public var added: FetchResult<Asset>
    /// Assets whose files have a different size or modification date than at their last import; each gets a new content
    /// version. Only the heads of files are read, so a file with a new date counts as another picture. An asset to which a file
    /// was added, such as a paired video, or that has lost one, is listed as well.
    public var changed: FetchResult<Asset>
    /// Assets whose files are gone from the folders that were imported. They are in Recently Deleted, and are restored
    /// when an import finds their files again.
    public var removed: FetchResult<Asset>
    /// Assets that were in Recently Deleted because their files were gone, and whose files have reappeared unchanged.
    public var restored: FetchResult<Asset>
    /// Assets whose files were found under other paths. Those that were in Recently Deleted because their files were gone are
    /// in `restored` as well, and those whose pictures have changed in `changed`.
    public var moved: FetchResult<Asset>
    /// The number of files that were already in the library and are unchanged. It also counts repeated files, and files
    /// whose assets the view may not change.
    public var alreadyPresentCount: Int
    /// The files that were not imported. First come the files and folders that the search could not use, then the files
    /// that were rejected when their heads were read.
    public var skipped: [Skip]
}
