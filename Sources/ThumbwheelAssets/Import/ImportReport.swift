import Foundation
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

/// Why an import did not take place. Nothing has been added then.
public enum ImportError: Error, Equatable, Sendable {
    /// There is no file or folder at this path.
    case notFound(path: String)
    /// The path leads to something else than a folder.
    case notAFolder(path: String)
    /// The path exists but cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The task was cancelled.
    case cancelled
    /// The library's policy does not allow it.
    case refused(ChangeError)
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// Files whose heads have been read, or that are known to be as they were.
    public var doneCount: Int
    /// Files that were found.
    public var totalCount: Int
}

/// How files are imported.
public struct ImportOptions: Sendable {
    /// Where cameras' clocks are taken to have been, if the files do not tell. A server's own zone says little about it,
    /// and results should not depend on the machine: Greenwich unless the host knows better.
    public var timeZone: TimeZone
    /// Makes the hash of each photograph that is read; nil, and they come without. Called on several threads at once.
    public var thumbHash: (@Sendable (Asset) -> ThumbHash?)?

    /// Makes options; the defaults take cameras' clocks as Greenwich's and make no hashes.
    public init(timeZone: TimeZone = .gmt, thumbHash: (@Sendable (Asset) -> ThumbHash?)? = nil) {
        self.timeZone = timeZone
        self.thumbHash = thumbHash
    }
}
