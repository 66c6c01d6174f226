import Foundation
import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A search for the files below some paths. The files of each folder are found in the order of their names.
///
/// Symbolic links are followed, but no folder is entered twice. So the search ends even if links form circles or lead
/// to the same folder by many paths. A search among changed paths does not enter folders by links: it does not see the
/// rest of the tree, so it cannot know whether such a folder is found by another path as well.
struct FolderWalk {
    struct File {
        let path: FilePath
        /// The name from which the identifier of the asset is computed. It is the path of the file, starting with the
        /// name of the imported folder.
        let name: String
        let modificationDate: Date
        let byteCount: Int
        /// The device number and the inode number of the file, combined into one word (`FileStatus.Identity.word`).
        let node: UInt64
    }

    /// A file or folder that waits for its turn.
    private struct Item {
        let path: FilePath
        let name: String
        let status: FileStatus
        /// The device of the folder above it; nil if it does not matter.
        var above: UInt64?
        /// Whether it is a folder to which a symbolic link leads.
        var isLink = false
    }

    private(set) var files: [File] = []
    private(set) var skipped: [ImportReport.Skip] = []
    /// The folders that the caller has given. All their files have been found, except those in `skipped`.
    private(set) var roots: [FilePath] = []
    /// The paths that the caller has reported as changed, but at which no file or folder exists any more.
    private(set) var missing: [FilePath] = []
    /// Those of the paths reported as changed at which this search has found a file or nothing. Paths of folders are
    /// not among them.
    private var searchedFiles: Set<FilePath> = []
    /// The files and folders that exist but cannot be opened.
    private var unreadable: [FilePath] = []
    private var entered: Set<FileStatus.Identity> = []
    /// The symbolic links to folders that this search has found, whether it has entered the folders or not.
    private(set) var folderLinks: Set<FilePath> = []
    /// The folders that this search has found on another device than the folder above them.
    private(set) var mountPoints: [FilePath: InnerVolumes.MountPoint] = [:]
    /// The folders in which this search has found nothing.
    private(set) var emptyFolders: Set<FilePath> = []
    /// Returns the device number of the folder at a path.
    var deviceOf: @Sendable (FilePath, FileStatus) -> UInt64 = { $1.identity.device }
    /// The paths below which volumes are not mounted at present.
    private var foldersOutOfReach: [FilePath] = []
    /// The files of volumes that are not mounted while other volumes are mounted in their places.
    private var filesOutOfReach: [Set<FilePath>] = []
    /// The paths in `roots`, for searching.
    private var rootPaths: Set<FilePath> = []
    /// The files that this search leaves out because they are still being written.
    private var leftOut: Set<FilePath> = []
    /// A closure that is called with each folder before the names in it are read.
    var willList: ((FilePath) -> Void)?
    private let token: CancellationToken
    private let reading: FolderListing.Reading

    init(token: CancellationToken, reading: @escaping FolderListing.Reading = { readdir($0) }) {
        (self.token, self.reading) = (token, reading)
    }

    /// Adds the file at a path, or all files below the folder at the path.
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
            addRoot(root)
            try walk(root, name: name, status, followsLinks: true)
        } else if mustBeFolder {
            throw .notAFolder(path: path)
        } else {
            // The file gets the same name as if its folder had been imported, so that importing the file and importing
            // its folder give the same asset.
            let folder = root.folder.flatMap { $0 == FilePath("/") ? nil : $0.lastComponent + "/" }
            visit(root, name: (folder ?? "") + name, status)
        }
    }

    /// Looks at a changed path below the folder `root`. If a file is there, adds the file. If a folder is there, adds
    /// all files below it. If nothing is there, notes the path as missing. If a symbolic link to a folder is there, it
    /// is noted in `folderLinks`, and only a search through the whole of `root` finds out what it leads to.
    ///
    /// - Parameter mayBeFolder: whether a folder may have been at the path. If nothing is there now, all files that the
    ///   library knows below the path then count as gone.
    mutating func add(changed path: FilePath, below root: FilePath, mayBeFolder: Bool) throws(ImportError) {
        let rootName = root == FilePath("/") ? "" : root.lastComponent
        let name = rootName + String(decoding: path.text.utf8.dropFirst(root.text.utf8.count), as: UTF8.self)
        let folder: FileStatus
        do throws(FileStatus.Failure) {
            let status = try FileStatus(path: path.text)
            if status.kind == .folder, Self.isLink(path) {
                folderLinks.insert(path)
                return
            }
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
            if mayBeFolder { addRoot(path) }
            return
        }
        addRoot(path)
        let above = path.folder.flatMap { above in
            (try? FileStatus(path: above.text)).map { deviceOf(above, $0) }
        }
        try walk(path, name: name, folder, below: above, followsLinks: false)
    }

    /// Notes whether a folder is on another device than the folder above it.
    ///
    /// - Parameter above: the device of the folder above it; nil if the folder is the top of the search.
    private mutating func noteVolume(_ path: FilePath, _ status: FileStatus, isLink: Bool, below above: UInt64?) {
        guard let above else { return }
        let device = deviceOf(path, status)
        mountPoints[path] = device == above ? nil : InnerVolumes.MountPoint(device: device, isLink: isLink)
    }

    static func isLink(_ path: FilePath) -> Bool {
        (try? FileStatus(path: path.text, followsLink: false))?.kind == .link
    }

    /// Adds a folder to `roots`, unless it is inside one of them. A removed tree has many folders, and each file that
    /// the library knows is compared with all roots.
    private mutating func addRoot(_ path: FilePath) {
        var folder: FilePath? = path
        while let above = folder {
            if rootPaths.contains(above) { return }
            folder = above.folder
        }
        rootPaths.insert(path)
        roots.append(path)
    }

    /// Walks through a folder with an explicit stack instead of recursion, because folders may be nested to any depth.
    ///
    /// - Parameters:
    ///   - above: the device of the folder above `root`; nil if it does not matter.
    ///   - followsLinks: whether folders are entered by symbolic links too.
    private mutating func walk(
        _ root: FilePath, name: String, _ status: FileStatus, below above: UInt64? = nil, followsLinks: Bool
    ) throws(ImportError) {
        var pending = [Item(path: root, name: name, status: status, above: above)]
        while let next = pending.popLast() {
            guard !token.isCancelled else { throw .cancelled }
            guard next.status.kind == .folder else {
                visit(next.path, name: next.name, next.status)
                continue
            }
            noteVolume(next.path, next.status, isLink: next.isLink, below: next.above)
            guard entered.insert(next.status.identity).inserted else { continue }
            willList?(next.path)
            let listing: FolderListing
            do throws(FileStatus.Failure) {
                listing = try FolderListing(next.path, reading: reading)
            } catch {
                skip(next.path, error.code)
                continue
            }
            let (status, former) = (listing.status, next.status)
            guard status.identity == former.identity || entered.insert(status.identity).inserted else { continue }
            noteVolume(next.path, status, isLink: next.isLink, below: next.above)
            let device = deviceOf(next.path, status)
            if listing.names.isEmpty, listing.unusableNames.isEmpty { emptyFolders.insert(next.path) }
            skipped += listing.unusableNames.map {
                ImportReport.Skip(path: next.path.appending($0).text, reason: .nameNotUnicode)
            }
            // The entries of this folder that are visited later: the first inner folder, and everything whose name
            // comes after it. Files are found in the order of their names, and the files in the inner folder come next.
            // So the later entries wait on the stack `pending`. Files before the first inner folder are added at once.
            var waiting: [Item] = []
            for name in listing.names {
                let path = next.path.appending(name)
                do throws(FileStatus.Failure) {
                    let status = try listing.status(of: name)
                    let isLink = status.kind == .folder ? listing.isLink(name) : false
                    if isLink {
                        folderLinks.insert(path)
                        if !followsLinks { continue }
                    }
                    let name = next.name + "/" + name
                    if waiting.isEmpty, status.kind != .folder {
                        visit(path, name: name, status)
                    } else {
                        waiting.append(Item(path: path, name: name, status: status, above: device, isLink: isLink))
                    }
                } catch {
                    skip(path, error.code)
                }
            }
            // The waiting items are pushed in reverse order, because the last item of the stack is taken first.
            pending += waiting.reversed()
        }
    }

    /// Leaves out files that are still being written.
    mutating func leaveOut(_ paths: Set<FilePath>) { leftOut = paths }

    /// Notes that volumes at these folders are not mounted, so that no file below the folders counts as gone, and
    /// neither does any of these files.
    mutating func noteOutOfReach(folders: [FilePath], files: [Set<FilePath>]) {
        (foldersOutOfReach, filesOutOfReach) = (folders, files)
    }

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

    /// Returns whether this search has looked at a path: the path was given to the search itself, or lies in a folder
    /// that was given to it. If the search has looked at the path and has found no file there, the caller can ask
    /// `isGone` whether the file has certainly been removed.
    func wasSearched(_ path: FilePath) -> Bool {
        searchedFiles.contains(path) || roots.contains { path == $0 || path.isBelow($0) }
    }

    /// Returns whether the file that was at a path has certainly been removed. The answer is meaningful only if this
    /// search has found no file there. It is false in four cases, because the file may still exist: the search has not
    /// looked at the path, a folder in the path cannot be read, the file is on a volume that is not mounted, or the
    /// file was left out because it is still being written.
    func isGone(_ path: FilePath) -> Bool {
        wasSearched(path) && !leftOut.contains(path) && !unreadable.contains { path == $0 || path.isBelow($0) }
            && !foldersOutOfReach.contains { path == $0 || path.isBelow($0) }
            && !filesOutOfReach.contains { $0.contains(path) }
    }

    private mutating func skip(_ path: FilePath, _ code: Int32) {
        if code != ENOENT { unreadable.append(path) }
        let error: ByteSourceError =
            code == ENOENT ? .notFound(path: path.text) : .unreadable(path: path.text, code: code)
        skipped.append(ImportReport.Skip(path: path.text, reason: .unreadable(error)))
    }
}
