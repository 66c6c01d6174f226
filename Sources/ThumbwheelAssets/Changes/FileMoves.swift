import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files that a transaction moves: each is in both places until it is known how the transaction ends, so that
/// whatever happens none is lost.
final class FileMoves {
    private struct Move {
        let from: String
        let to: String
        let identity: FileStatus.Identity
    }

    private var moved: [Move] = []

    /// Puts a file into a folder as well, under its name or, where that is taken, a numbered one. Nothing is copied where
    /// both are on one file system.
    ///
    /// - Returns: its new path.
    func move(_ path: String, into folder: String) throws(FileStatus.Failure) -> String {
        let status = try FileStatus(path: path, followsLink: false)
        // The move would take the link and not the file, and the file itself lies in a folder that nobody named.
        guard status.kind != .link else { throw FileStatus.Failure(code: ELOOP) }
        guard status.kind == .file else { throw FileStatus.Failure(code: EISDIR) }
        // Somebody else counts on the other name.
        guard status.linkCount == 1 else { throw FileStatus.Failure(code: EMLINK) }
        // The file is in that folder already, even if the two paths differ.
        let parent = try FileStatus(path: FilePath(path).folder?.text ?? ".")
        if try FileStatus(path: folder).identity == parent.identity { return path }
        // The commit is too late to find out that the file cannot go from where it is, and would leave it in both places.
        guard access(FilePath(path).folder?.text ?? ".", W_OK) == 0 else { throw FileStatus.Failure(code: errno) }
        let name = FilePath(path).lastComponent
        var number = 1
        while true {
            let target = FilePath(folder).appending(number == 1 ? name : Self.numbered(name, number)).text
            if link(path, target) == 0 {
                moved.append(Move(from: path, to: target, identity: status.identity))
                try requireSame(status, at: target)
                return target
            }
            if errno == EXDEV, let copy = FileCopy(at: target) {
                // From here on, whatever fails, the copy goes with the transaction.
                moved.append(Move(from: path, to: target, identity: status.identity))
                try copy.fill(from: path, status.identity)
                return target
            }
            guard errno == EEXIST else { throw FileStatus.Failure(code: errno) }
            number += 1
        }
    }

    /// Undoes the move and throws if the target is another file: a link or a file may have replaced the old name since
    /// it was checked.
    private func requireSame(_ status: FileStatus, at target: String) throws(FileStatus.Failure) {
        let there = try FileStatus(path: target, followsLink: false)
        if there.kind == .file, there.identity == status.identity { return }
        moved.removeLast()
        unlink(target)
        throw FileStatus.Failure(code: EBUSY)
    }

    /// Puts a number before the extension: `a.png` becomes `a 2.png`. A leading dot does not begin an extension.
    private static func numbered(_ name: String, _ number: Int) -> String {
        let bytes = name.utf8
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 == bytes.startIndex ? nil : $0 } ?? bytes.endIndex
        return String(decoding: bytes[..<dot], as: UTF8.self) + " \(number)"
            + String(decoding: bytes[dot...], as: UTF8.self)
    }

    /// The transaction is committed: the files go from where they were, unless others have taken their places since.
    func finish() {
        for move in moved where (try? FileStatus(path: move.from, followsLink: false))?.identity == move.identity {
            unlink(move.from)
        }
        moved = []
    }

    /// There was no transaction: they stay there.
    func takeBack() {
        for move in moved { unlink(move.to) }
        moved = []
    }
}
