import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folders outside of which nothing is delivered, wherever symbolic links lead: a library follows links as it imports.
package final class FolderRoots: Sendable {
    private let prefixes: [String]
    /// Folders that really lie in the roots. The others are looked up each time: one that is missing may come back.
    private let folders = Mutex<Set<String>>([])

    /// - Parameter folders: The paths of the folders. Symbolic links in them are followed once, here.
    package init(_ folders: [String]) {
        prefixes = folders.map { folder in
            let resolved = Self.resolved(folder) ?? folder
            return resolved.hasSuffix("/") ? resolved : resolved + "/"
        }
    }

    /// The path with all symbolic links followed; nil if there is nothing at the path.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether a path without symbolic links lies in one of the folders. Paths are compared by bytes, as the file system does.
    private func containResolved(_ path: String) -> Bool {
        prefixes.contains { path.utf8.starts(with: $0.utf8) }
    }

    /// Whether an open file lies in one of the folders, so that a link that is put in its place for a moment leads nowhere.
    package func contain(_ file: FileByteSource) -> Bool {
        #if os(Linux)
        contain("/proc/self/fd/\(file.descriptor)")
        #else
        contain(file.path)
        #endif
    }

    /// Whether the file at a path really lies in one of the folders at present.
    package func contain(_ path: String) -> Bool { Self.resolved(path).map(containResolved) ?? false }

    private func containFolder(_ path: String) -> Bool {
        Self.resolved(path).map { containResolved($0 + "/") } ?? false
    }

    /// The same for long lists: the folder of a file is looked up once. A file that is gone counts as one that is not a link.
    package func seemToContain(_ path: String) -> Bool {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let folder = String(path[..<slash])
        if !folders.withLock({ $0.contains(folder) }) {
            guard containFolder(folder) else { return false }
            _ = folders.withLock { $0.insert(folder) }
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return true }
        return contain(path)
    }
}
