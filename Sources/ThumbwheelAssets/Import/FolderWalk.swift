import Foundation
import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Finds the files below some paths, each folder's in the order of their names.
///
/// Links are followed, but no folder is entered twice: links that lead in circles end, and so do those that multiply.
struct FolderWalk {
    struct File {
        let path: String
        /// What the identifier is derived from: the path from the imported folder on, with that folder's own name.
        let name: String
        let modificationDate: Date
        let byteCount: Int
    }

    private(set) var files: [File] = []
    private(set) var skipped: [ImportReport.Skip] = []
    /// The folders that were named, whose files are all found unless something is in `skipped`.
    private(set) var roots: [String] = []
    private var entered: Set<FileStatus.Identity> = []
    private let token: CancellationToken

    init(token: CancellationToken) {
        self.token = token
    }

    /// Adds a file, or all that is below a folder.
    mutating func add(_ path: String, mustBeFolder: Bool) throws(ImportError) {
        let status: FileStatus
        let root: String
        do throws(FileStatus.Failure) {
            status = try FileStatus(path: path)
            root = try FileStatus.canonicalPath(path)
            if status.kind == .folder { _ = try FileStatus.names(inFolder: root) }
        } catch {
            throw error.code == ENOENT || error.code == ENOTDIR
                ? .notFound(path: path) : .unreadable(path: path, code: error.code)
        }
        let parts = root.split(separator: "/")
        let name = parts.last.map(String.init) ?? ""
        if status.kind == .folder {
            roots.append(root)
            try walk(root, name: name, status)
        } else if mustBeFolder {
            throw .notAFolder(path: path)
        } else {
            // As if its folder had been imported, and so the same asset either way.
            visit(root, name: (parts.dropLast().last.map { "\($0)/" } ?? "") + name, status)
        }
    }

    /// A stack of its own instead of recursion: how deep folders go is not for us to say.
    private mutating func walk(_ root: String, name: String, _ status: FileStatus) throws(ImportError) {
        var pending = [(path: root, name: name, status: status)]
        while let next = pending.popLast() {
            guard !token.isCancelled else { throw .cancelled }
            guard next.status.kind == .folder else {
                visit(next.path, name: next.name, next.status)
                continue
            }
            guard entered.insert(next.status.identity).inserted else { continue }
            let prefix = next.path == "/" ? "/" : next.path + "/"
            var names: [String] = []
            do throws(FileStatus.Failure) {
                let found = try FileStatus.names(inFolder: next.path)
                names = found.names
                skipped += found.unusable.map { ImportReport.Skip(path: prefix + $0, reason: .nameNotUnicode) }
            } catch {
                skip(next.path, error.code)
            }
            // The last is taken first.
            for name in names.reversed() {
                do throws(FileStatus.Failure) {
                    let status = try FileStatus(path: prefix + name)
                    pending.append((prefix + name, next.name + "/" + name, status))
                } catch {
                    skip(prefix + name, error.code)
                }
            }
        }
    }

    private mutating func visit(_ path: String, name: String, _ status: FileStatus) {
        if status.kind == .file {
            files.append(
                File(
                    path: path, name: name, modificationDate: status.modificationDate, byteCount: status.byteCount))
        } else {
            skipped.append(ImportReport.Skip(path: path, reason: .notAFile))
        }
    }

    private mutating func skip(_ path: String, _ code: Int32) {
        let error: ByteSourceError = code == ENOENT ? .notFound(path: path) : .unreadable(path: path, code: code)
        skipped.append(ImportReport.Skip(path: path, reason: .unreadable(error)))
    }
}
