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
        /// The name that the asset's identifier is derived from. It is the file's path, starting with the name of the
        /// imported folder.
        let name: String
        let modificationDate: Date
        let byteCount: Int
        /// The file's device and node as one word (`FileStatus.Identity.word`).
        let node: UInt64
    }

    private(set) var files: [File] = []
    private(set) var skipped: [ImportReport.Skip] = []
    /// The folders that the caller named. All their files have been found, except those in `skipped`.
    private(set) var roots: [FilePath] = []
    /// The single paths that the caller looked for, and that lead to nothing.
    private(set) var missing: [FilePath] = []
    /// The single files that the caller named and that were looked for below a known folder.
    private var searchedFiles: Set<FilePath> = []
    /// The files and folders that exist but could not be opened.
    private var unreadable: [FilePath] = []
    private var entered: Set<FileStatus.Identity> = []
    /// The files that the walk passes over and that do not count as gone.
    private var leftOut: Set<FilePath> = []
    /// Called with each folder before its names are read.
    var willList: ((FilePath) -> Void)?
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
            if status.kind == .folder { try FolderListing.check(root) }
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
            // The file gets the same name as if its folder had been imported. So importing the file and importing its
            // folder give the same asset.
            let folder = root.folder.flatMap { $0 == FilePath("/") ? nil : $0.lastComponent + "/" }
            visit(root, name: (folder ?? "") + name, status)
        }
    }

    /// Adds what is now at a path below a folder: a file, all files of a folder, or nothing.
    ///
    /// - Parameter mayBeFolder: whether there may have been a folder, whose files are gone with it.
    mutating func add(changed path: FilePath, below root: FilePath, mayBeFolder: Bool) throws(ImportError) {
        let rootName = root == FilePath("/") ? "" : root.lastComponent
        let name = rootName + String(decoding: path.text.utf8.dropFirst(root.text.utf8.count), as: UTF8.self)
        let folder: FileStatus
        do throws(FileStatus.Failure) {
            let status = try FileStatus(path: path.text)
            guard status.kind == .folder else {
                searchedFiles.insert(path)
                visit(path, name: name, status)
                return
            }
            folder = status
        } catch {
            guard error.isAbsence else {
                skip(path, error.code)
                return
            }
            searchedFiles.insert(path)
            missing.append(path)
            if mayBeFolder { roots.append(path) }
            return
        }
        roots.append(path)
        try walk(path, name: name, folder)
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
            willList?(next.path)
            let listing: FolderListing
            do throws(FileStatus.Failure) {
                listing = try FolderListing(next.path)
            } catch {
                skip(next.path, error.code)
                continue
            }
            skipped += listing.unusableNames.map {
                ImportReport.Skip(path: next.path.appending($0).text, reason: .nameNotUnicode)
            }
            // Files before the first folder are next in order. What follows that folder waits until it has been walked through.
            var waiting: [(path: FilePath, name: String, status: FileStatus)] = []
            for name in listing.names {
                let path = next.path.appending(name)
                do throws(FileStatus.Failure) {
                    let status = try listing.status(of: name)
                    let name = next.name + "/" + name
                    if waiting.isEmpty, status.kind != .folder {
                        visit(path, name: name, status)
                    } else {
                        waiting.append((path, name, status))
                    }
                } catch {
                    skip(path, error.code)
                }
            }
            // The stack takes the last one first.
            pending += waiting.reversed()
        }
    }

    /// Passes over files that others are still writing.
    mutating func leaveOut(_ paths: Set<FilePath>) { leftOut = paths }

    private mutating func visit(_ path: FilePath, name: String, _ status: FileStatus) {
        if leftOut.contains(path) { return }
        if status.kind == .file {
            files.append(
                File(
                    path: path, name: name, modificationDate: status.modificationDate, byteCount: status.byteCount,
                    node: status.identity.word))
        } else {
            skipped.append(ImportReport.Skip(path: path.text, reason: .notAFile))
        }
    }

    /// Whether the walk looked for everything at a path.
    func wasSearched(_ path: FilePath) -> Bool {
        searchedFiles.contains(path) || roots.contains { path == $0 || path.isBelow($0) }
    }

    /// Whether a file that was not found is gone: it would be in a folder that was searched. Files below a folder that could
    /// not be read may still exist.
    func isGone(_ path: FilePath) -> Bool {
        wasSearched(path) && !leftOut.contains(path) && !unreadable.contains { path == $0 || path.isBelow($0) }
    }

    private mutating func skip(_ path: FilePath, _ code: Int32) {
        if code != ENOENT { unreadable.append(path) }
        let error: ByteSourceError =
            code == ENOENT ? .notFound(path: path.text) : .unreadable(path: path.text, code: code)
        skipped.append(ImportReport.Skip(path: path.text, reason: .unreadable(error)))
    }
}
