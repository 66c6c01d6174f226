#if !os(Linux)
import Darwin
import Dispatch

/// A `FolderKernel` for systems that cannot report changes of folders. Watching a folder always fails, so that the
/// followed folder is scanned from time to time.
final class SleepingKernel: FolderKernel {
    private let signal = DispatchSemaphore(value: 0)
    private let start = ContinuousClock.now

    init() throws(FileStatus.Failure) {}

    var now: Duration { start.duration(to: .now) }

    func watch(_ folder: FilePath) throws(FileStatus.Failure) { throw FileStatus.Failure(code: ENOTSUP) }

    func unwatch(_ folder: FilePath) {}

    func events(until deadline: Duration?) -> [FolderEvent] {
        guard let deadline else {
            signal.wait()
            return []
        }
        let left = max(.zero, deadline - now).components
        _ = signal.wait(timeout: .now() + Double(left.seconds) + Double(left.attoseconds) / 1e18)
        return []
    }

    func wake() { signal.signal() }
}
#endif
