/// What the watching of a folder tells its host.
public enum FollowEvent: Sendable {
    /// A batch of changes was imported; the first is that of the whole folder.
    case imported(ImportReport)
    /// An import failed. The whole folder is scanned again after a while.
    case failed(ImportError)
    /// A folder cannot be watched; `code` is the system's error number, `ENOSPC` if the user may not watch more folders. The
    /// whole folder is scanned from time to time until it can.
    case unwatchable(path: String, code: Int32)
    /// The folder itself is gone. Its assets stay as they are, and the folder is scanned when it is back.
    case folderVanished(path: String)
    /// The kernel has lost events; the whole folder is scanned.
    case eventsLost
}
