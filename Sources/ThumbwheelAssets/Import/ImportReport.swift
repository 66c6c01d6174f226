import ThumbwheelCore
import ThumbwheelFormats

/// The outcome of an import.
public struct ImportReport: Sendable {
    /// A file that was not imported, and the reason.
    public struct Skip: Sendable, Equatable {
        /// The path of the file.
        public var path: String
        /// The reason why the file was not imported.
        public var reason: SkipReason

        /// Makes an entry from a path and a reason.
        public init(path: String, reason: SkipReason) {
            self.path = path
            self.reason = reason
        }
    }

    /// The reasons why a file is not imported.
    public enum SkipReason: Sendable, Equatable {
        /// The file is neither an image nor a video of a format that the library knows.
        case notAnImage
        /// The file is an image or a video, but its head (the metadata at the start of the file) is damaged, or exceeds
        /// a limit of the reader.
        case damaged(HeadError)
        /// The file cannot be read.
        case unreadable(ByteSourceError)
        /// The path leads to a pipe, a socket or a device instead of a file.
        case notAFile
        /// The name of the file or folder is not valid UTF-8. The path contains the name with replacement characters.
        case nameNotUnicode
    }

    /// The new assets, in the order of import.
    public var added: FetchResult<Asset>
    /// The assets whose files have another size or another date than at the last import, and the assets that have
    /// gained or lost a file, such as a paired video.
    ///
    /// The asset gets a new content version if the picture that it shows may have changed. A file with a new date
    /// counts as a new picture, because imports read only the metadata at the start of a file and cannot compare
    /// pixels. An asset that was adjusted in this library keeps its content version, because it still shows its edited
    /// picture.
    public var changed: FetchResult<Asset>
    /// The assets whose files are missing from the imported folders. These assets are now in Recently Deleted. If a
    /// later import finds the files again, it restores the assets.
    public var removed: FetchResult<Asset>
    /// The assets that were in Recently Deleted because their files were missing, and whose files have been found
    /// again, unchanged.
    public var restored: FetchResult<Asset>
    /// The assets whose files were found under other paths. If more than the path of an asset has changed, the asset is
    /// also in `changed`. If only the path has changed, and the asset was in Recently Deleted because its files were
    /// missing, it is also in `restored`.
    public var moved: FetchResult<Asset>
    /// The number of files for which nothing was done: unchanged files that the library already has, files that were
    /// given more than once, and files, changed or not, of assets that the user may not change.
    public var alreadyPresentCount: Int
    /// The files that were not imported: first the files and folders that the search could not use, then the files that
    /// were rejected when they were read.
    public var skipped: [Skip]
}
