import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files that a transaction moves or writes. Until the transaction is committed or abandoned, a moved file exists
/// both in its old folder and in its new one. So the file is kept whether the transaction succeeds or fails.
final class FileMoves {
    private struct Move {
        let from: String
        let to: String
        let identity: FileStatus.Identity
    }

    private var moved: [Move] = []
    /// The paths of the files that the transaction has created.
    private var written: [String] = []

    /// Adds a file to a folder under its own name, or with a number added to the name if the name is taken. The method
    /// makes a hard link, or a copy if the folder is in another file system. `finish` later removes the file from its
    /// old folder.
    ///
    /// - Returns: the file's new path.
    func move(_ path: String, into folder: String) throws(FileStatus.Failure) -> String {
        let status = try FileStatus(path: path, followsLink: false)
        // A symbolic link is refused: only the link would move, and the file to which it points would stay in its
        // place.
        guard status.kind != .link else { throw FileStatus.Failure(code: ELOOP) }
        guard status.kind == .file else { throw FileStatus.Failure(code: EISDIR) }
        // A file with a second hard link is refused: after the move, another program could still change the file under
        // its other name.
        guard status.linkCount == 1 else { throw FileStatus.Failure(code: EMLINK) }
        guard !FileStatus.isOpenForWriting(path) else { throw FileStatus.Failure(code: ETXTBSY) }
        // Two different paths may name the same folder, so the identities of the two folders are compared. If they are
        // equal, the file is in the target folder already.
        let parent = try FileStatus(path: FilePath(path).folder?.text ?? ".")
        if try FileStatus(path: folder).identity == parent.identity { return path }
        // The old folder must be writable. Otherwise, the commit could not remove the file from it, and the file would
        // stay in both folders.
        guard access(FilePath(path).folder?.text ?? ".", W_OK) == 0 else { throw FileStatus.Failure(code: errno) }
        let name = FilePath(path).lastComponent
        var number = 1
        while true {
            let target = Self.target(name, number, in: folder)
            if link(path, target) == 0 {
                moved.append(Move(from: path, to: target, identity: status.identity))
                try requireSame(status, at: target)
                return target
            }
            if errno == EXDEV, let copy = FileCopy(at: target) {
                // The copy is added to `moved` before it is filled, so that `takeBack` removes an incomplete copy if
                // copying fails.
                moved.append(Move(from: path, to: target, identity: status.identity))
                try copy.fill(from: path, status.identity)
                return target
            }
            guard errno == EEXIST else { throw FileStatus.Failure(code: errno) }
            number += 1
        }
    }

    /// Writes bytes to a new file in a folder, under the given name, or with a number added to the name if the name is
    /// taken.
    ///
    /// - Returns: the file's path.
    func write(_ bytes: [UInt8], named name: String, into folder: String) throws(FileStatus.Failure) -> String {
        var number = 1
        while true {
            let target = Self.target(name, number, in: folder)
            if let file = FileCopy(at: target, permissions: 0o666) {
                // The file is added to `written` before it is filled, so that a failed transaction removes it.
                written.append(target)
                try file.fill(with: bytes)
                return target
            }
            guard errno == EEXIST else { throw FileStatus.Failure(code: errno) }
            number += 1
        }
    }

    private static func target(_ name: String, _ number: Int, in folder: String) -> String {
        FilePath(folder).appending(number == 1 ? name : numbered(name, number)).text
    }

    /// Checks that the new hard link at `target` leads to the file with the status `status`. The link was made after
    /// the status was read. In between, another file may have taken the file's place. If the link leads to that other
    /// file, this method removes the link and throws.
    private func requireSame(_ status: FileStatus, at target: String) throws(FileStatus.Failure) {
        let there = try FileStatus(path: target, followsLink: false)
        if there.kind == .file, there.identity == status.identity { return }
        moved.removeLast()
        unlink(target)
        throw FileStatus.Failure(code: EBUSY)
    }

    /// Inserts a number before the extension of a file name: `a.png` becomes `a 2.png`. A dot at the start of the name
    /// does not begin an extension.
    private static func numbered(_ name: String, _ number: Int) -> String {
        let bytes = name.utf8
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 == bytes.startIndex ? nil : $0 } ?? bytes.endIndex
        return String(decoding: bytes[..<dot], as: UTF8.self) + " \(number)"
            + String(decoding: bytes[dot...], as: UTF8.self)
    }

    /// Removes the files from their old folders after a commit. If another file has the old name by now, that file
    /// stays.
    func finish() {
        for move in moved where (try? FileStatus(path: move.from, followsLink: false))?.identity == move.identity {
            unlink(move.from)
        }
        (moved, written) = ([], [])
    }

    /// Undoes the moves after a failed transaction: removes the files from their new folders. The files in the old
    /// folders are still there, because only `finish` removes them. Files that the transaction has written are removed
    /// too.
    func takeBack() {
        for path in moved.map(\.to) + written { unlink(path) }
        (moved, written) = ([], [])
    }
}
