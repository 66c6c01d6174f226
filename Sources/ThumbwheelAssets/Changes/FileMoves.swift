import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files that a transaction moves (row 79): each is in both places until it is known how the transaction ends, so that
/// whatever happens none is lost.
final class FileMoves {
    private var moved: [(from: String, to: String)] = []

    /// Puts a file into a folder as well, under its name or, where that is taken, a numbered one. Nothing is copied where
    /// both are on one file system.
    ///
    /// - Returns: its new path.
    func move(_ path: String, into folder: String) throws(FileStatus.Failure) -> String {
        let status = try FileStatus(path: path)
        guard status.kind == .file else { throw FileStatus.Failure(code: EISDIR) }
        // Somebody else counts on the other name.
        guard status.linkCount == 1 else { throw FileStatus.Failure(code: EMLINK) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // It is there already.
        if path == folder + "/" + name { return path }
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        var number = 1
        while true {
            let target = folder + "/" + (number == 1 ? name : "\(name[..<dot]) \(number)\(name[dot...])")
            if link(path, target) == 0 || errno == EXDEV && Self.copy(path, to: target) {
                moved.append((path, target))
                return target
            }
            guard errno == EEXIST else { throw FileStatus.Failure(code: errno) }
            number += 1
        }
    }

    /// To another file system. Leaves the reason in `errno` where it fails.
    private static func copy(_ path: String, to target: String) -> Bool {
        guard access(target, F_OK) != 0 else {
            errno = EEXIST
            return false
        }
        do {
            try FileManager.default.copyItem(atPath: path, toPath: target)
            return true
        } catch {
            errno = EIO
            return false
        }
    }

    /// The transaction is committed: the files go from where they were.
    func finish() {
        for move in moved { unlink(move.from) }
        moved = []
    }

    /// There was no transaction: they stay there.
    func takeBack() {
        for move in moved { unlink(move.to) }
        moved = []
    }
}
