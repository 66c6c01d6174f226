/// An event in a watched folder, as the operating system's kernel reports it.
enum FolderEvent: Sendable, Equatable {
    /// A file is complete: a program has closed it after writing, or has moved or linked it into the folder.
    case written(FilePath)
    /// A file has been created or changed, and the program that writes it may not have finished.
    case growing(FilePath)
    /// A file or a folder with this path has been removed from the watched folder.
    case removed(FilePath, wasFolder: Bool)
    /// The date or another attribute of a file has changed.
    case touched(FilePath)
    /// A new folder has appeared in the watched folder. If it was moved there, it is complete. If it was created there,
    /// files may have been added to it before it was watched.
    case folder(FilePath, isComplete: Bool)
    /// The watched folder itself has been removed, has another path now, or is on a volume that is no longer mounted.
    case vanished(FilePath)
    /// The kernel has lost events.
    case overflow
}
