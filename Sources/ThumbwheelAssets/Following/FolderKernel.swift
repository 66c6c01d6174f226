/// The part of an operating system that watches folders, with a clock for deadlines. Tests use an implementation of
/// their own.
///
/// One thread calls `watch`, `unwatch` and `events`. Any thread may call `wake`.
protocol FolderKernel: Sendable {
    /// The present time, counted from a fixed moment.
    var now: Duration { get }

    /// Watches one folder, without the folders below it. A folder that is already watched stays watched.
    ///
    /// - Throws: the system's error; `ENOSPC` if the user may not watch more folders.
    func watch(_ folder: FilePath) throws(FileStatus.Failure)

    /// Stops watching a folder and all folders below it.
    func unwatch(_ folder: FilePath)

    /// Waits for events. The result is empty if the deadline has passed or `wake` was called.
    ///
    /// - Parameter deadline: the time at which the method returns without events; nil sets no deadline.
    func events(until deadline: Duration?) -> [FolderEvent]

    /// Ends the present call of `events`. If no call is running, the next call returns at once.
    func wake()

    /// Returns the device number of the folder at a path. By it, a volume that is mounted inside the followed folder is
    /// told from the folders around it.
    func device(of folder: FilePath, _ status: FileStatus) -> UInt64
}

extension FolderKernel {
    func device(of folder: FilePath, _ status: FileStatus) -> UInt64 { status.identity.device }
}
