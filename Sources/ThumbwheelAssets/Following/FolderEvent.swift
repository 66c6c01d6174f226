/// One thing that a kernel tells about a watched folder.
enum FolderEvent: Sendable, Equatable {
    /// A file is complete: a writer has closed it, or it was moved or linked here.
    case written(FilePath)
    /// A file has been made or changed, and its writer may not have finished.
    case growing(FilePath)
    /// A file, or whatever else had this path, is no longer here.
    case removed(FilePath, wasFolder: Bool)
    /// The date or another attribute of a file has changed.
    case touched(FilePath)
    /// A folder is new here; it is complete if it was moved here. Files in a folder that was made here may have come before it
    /// was watched.
    case folder(FilePath, isComplete: Bool)
    /// The folder itself is gone, or has another path now.
    case vanished(FilePath)
    /// Events were lost.
    case overflow
}
