/// An event that is reported to the host program while a folder is followed.
public enum FollowEvent: Sendable {
    /// A batch of changes was imported. The first such event is for the whole folder.
    case imported(ImportReport)
    /// An import failed. The whole folder is scanned again after some time.
    case failed(ImportError)
    /// A folder cannot be watched. `code` is the system's error number; it is `ENOSPC` if the user may not watch more
    /// folders. Until the folder can be watched, the whole followed folder is scanned from time to time.
    case unwatchable(path: String, code: Int32)
    /// The followed folder itself is missing, or only an empty or unrelated folder is in its place, such as the mount
    /// point of a volume that is not mounted. Its assets stay as they are. The folder is scanned when it is back, which
    /// is noticed within `FollowOptions.Pace.scanInterval`. The same is reported, with the path of the mount point, for
    /// a volume that was mounted inside the followed folder and is so no longer.
    case folderVanished(path: String)
    /// The kernel has lost events, so the whole folder is scanned.
    case eventsLost
}
