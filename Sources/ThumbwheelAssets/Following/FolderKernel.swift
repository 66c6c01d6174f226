/// The part of a kernel that watches folders, and the clock that goes with it. Tests put another in its place.
///
/// One thread calls `watch`, `unwatch` and `events`; `wake` may be called on any thread.
protocol FolderKernel: Sendable {
    /// The time since some moment.
    var now: Duration { get }

    /// Watches one folder, not those below it. A folder that is watched already stays watched.
    ///
    /// - Throws: the system's error; `ENOSPC` if the user may not watch more folders.
    func watch(_ folder: FilePath) throws(FileStatus.Failure)

    /// Ends the watching of a folder and of all folders below it.
    func unwatch(_ folder: FilePath)

    /// Waits for events. An empty list means that the time has come or that `wake` was called.
    ///
    /// - Parameter deadline: the time at which to return without events; nil waits without limit.
    func events(until deadline: Duration?) -> [FolderEvent]

    /// Makes the present call of `events`, or else the next one, return.
    func wake()
}
