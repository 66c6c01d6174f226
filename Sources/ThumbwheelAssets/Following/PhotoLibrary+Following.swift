import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension PhotoLibrary {
    /// Imports a folder and keeps the library up to date with it. Files that are added, changed, moved or removed are
    /// imported in batches, one transaction for each batch. See <doc:Semantics#Watched-folders>.
    ///
    /// The first import starts at once on a thread of its own. This method does not wait for it. If the system cannot
    /// watch folders, the folder is scanned from time to time.
    ///
    /// - Parameters:
    ///   - path: the folder. Folders below it are followed too.
    ///   - options: the options of the imports, and the times for which changes wait.
    ///   - handler: called for each import and each problem, one call at a time, on the thread that follows the folder.
    ///     Further changes of the folder wait until the call has ended.
    /// - Returns: an object that has to be kept. When it is destroyed, the folder is no longer followed.
    /// - Throws: `ImportError`: `.notFound`; `.notAFolder`; `.unreadable`, which is also thrown if the system allows no
    ///   more watchers or threads.
    public func follow(
        _ path: String, options: FollowOptions = FollowOptions(),
        handler: @escaping @Sendable (FollowEvent) -> Void = { _ in }
    ) throws(ImportError) -> FolderFollowing {
        let kernel: any FolderKernel
        do throws(FileStatus.Failure) {
            #if os(Linux)
            kernel = try InotifyKernel()
            #else
            kernel = try SleepingKernel()
            #endif
        } catch {
            throw .unreadable(path: path, code: error.code)
        }
        let follower = try follower(of: path, options, kernel, handler)
        guard DetachedThread.start(named: "thumbwheel-folder", { follower.run() }) else {
            throw .unreadable(path: path, code: EAGAIN)
        }
        return FolderFollowing(follower)
    }

    /// Makes the object that follows a folder. Its `run` method does all the work.
    func follower(
        of path: String, _ options: FollowOptions, _ kernel: any FolderKernel,
        _ handler: @escaping @Sendable (FollowEvent) -> Void
    ) throws(ImportError) -> FolderFollower {
        let (folder, kind): (FilePath, FileStatus.Kind)
        do throws(FileStatus.Failure) {
            folder = FilePath(try FileStatus.canonicalPath(path))
            kind = try FileStatus(path: folder.text).kind
        } catch {
            throw error.isAbsence ? .notFound(path: path) : .unreadable(path: path, code: error.code)
        }
        guard kind == .folder else { throw .notAFolder(path: path) }
        return FolderFollower(self, folder, kernel, options, handler)
    }
}
