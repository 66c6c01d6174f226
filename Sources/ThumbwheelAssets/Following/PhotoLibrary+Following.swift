import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension PhotoLibrary {
    /// Imports a folder and keeps the library like it: files that come, change, move and go are imported in batches, each in one
    /// transaction. See <doc:Semantics#Watched-folders>.
    ///
    /// The folder's first import begins at once, on a thread of its own; this method does not wait for it. On a system without a
    /// way to watch folders, the folder is scanned from time to time.
    ///
    /// - Parameters:
    ///   - path: the folder; folders below it are followed too.
    ///   - options: the options of the imports, and how long changes are gathered.
    ///   - handler: called for each import and for each problem, one call at a time, on the thread that follows the folder. The
    ///     folder's next changes wait for it.
    /// - Returns: the watching, which ends when it is released.
    /// - Throws: `ImportError`: `.notFound`, `.notAFolder`, or `.unreadable`, also if the system gives no more watchers or no
    ///   thread.
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

    /// Makes what follows a folder; its `run` does all the work.
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
