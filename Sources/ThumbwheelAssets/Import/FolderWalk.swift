import Foundation
import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A search for the files below some paths, with the files of each folder in the order of their names.
///
/// Links are followed, but no folder is entered twice. So the search ends even if links form circles or reach the same
/// folder by many paths.
struct FolderWalk {
    struct File {
        let path: FilePath
        /// The name that the asset's identifier is derived from: the path that starts with the imported folder's own
        /// name.
        let name: String
        let modificationDate: Date
        let byteCount: Int
    }

    private(set) var files: [File] = []
    private(set) var skipped: [ImportReport.Skip] = []
    /// The folders that the caller named. All their files have been found, except those in `skipped`.
    private(set) var roots: [FilePath] = []
    private var entered: Set<FileStatus.Identity> = []
    private let token: CancellationToken

    init(token: CancellationToken) {
        self.token = token
    }

    /// Adds a file, or all files below a folder.
    mutating func add(_ path: String, mustBeFolder: Bool) throws(ImportError) {
        let status: FileStatus
        let root: FilePath
        do throws(FileStatus.Failure) {
            status = try FileStatus(path: path)
            root = FilePath(try FileStatus.canonicalPath(path))
            if status.kind == .folder { _ = try FileStatus.names(inFolder: root.text) }
        } catch {
            throw error.code == ENOENT || error.code == ENOTDIR
                ? .notFound(path: path) : .unreadable(path: path, code: error.code)
        }
        let isTop = root == FilePath("/")
        let name = isTop ? "" : root.lastComponent
        if status.kind == .folder {
            roots.append(root)
            try walk(root, name: name, status)
        } else if mustBeFolder {
            throw .notAFolder(path: path)
        } else {
            // The name is the same as if the file's folder had been imported, so that both ways give the same asset.
            let folder = root.folder.flatMap { $0 == FilePath("/") ? nil : $0.lastComponent + "/" }
            visit(root, name: (folder ?? "") + name, status)
        }
    }

    /// Walks through a folder with an explicit stack instead of recursion, because folders may be nested to any depth.
    private mutating func walk(_ root: FilePath, name: String, _ status: FileStatus) throws(ImportError) {
        var pending = [(path: root, name: name, status: status)]
        while let next = pending.popLast() {
            guard !token.isCancelled else { throw .cancelled }
            guard next.status.kind == .folder else {
                visit(next.path, name: next.name, next.status)
                continue
            }
            guard entered.insert(next.status.identity).inserted else { continue }
            var names: [String] = []
            do throws(FileStatus.Failure) {
                let found = try FileStatus.names(inFolder: next.path.text)
                names = found.names
                skipped += found.unusable.map {
                    ImportReport.Skip(path: next.path.appending($0).text, reason: .nameNotUnicode)
                }
            } catch {
                skip(next.path, error.code)
            }
            // The names are pushed in reverse, because the stack takes the last one first.
            for name in names.reversed() {
                let path = next.path.appending(name)
                do throws(FileStatus.Failure) {
                    let status = try FileStatus(path: path.text)
                    pending.append((path, next.name + "/" + name, status))
                } catch {
                    skip(path, error.code)
                }
            }
        }
    }

    private mutating func visit(_ path: FilePath, name: String, _ status: FileStatus) {
        if status.kind == .file {
            files.append(
                File(
                    path: path, name: name, modificationDate: status.modificationDate, byteCount: status.byteCount))
        } else {
            skipped.append(ImportReport.Skip(path: path.text, reason: .notAFile))
        }
    }

    private mutating func skip(_ path: FilePath, _ code: Int32) {
        let error: ByteSourceError =
            code == ENOENT ? .notFound(path: path.text) : .unreadable(path: path.text, code: code)
        skipped.append(ImportReport.Skip(path: path.text, reason: .unreadable(error)))
    }
}
