import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A new file that is filled with bytes from memory, or with a copy of another file's bytes, permissions and dates. The
/// new file is durable: it survives a crash of the system.
final class FileCopy {
    private let path: String
    private let descriptor: Int32

    /// Creates the file. The result is nil, with the reason in `errno`, if the file cannot be created or its name is
    /// already taken.
    init?(at path: String, permissions: mode_t = 0o600) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Copies the bytes, the permissions and the dates of a file, and writes the copy through to the disk.
    ///
    /// - Parameters:
    ///   - original: the path of the file that is copied.
    ///   - identity: the expected identity of the file at that path. If another file is there, this method throws.
    func fill(from original: String, _ identity: FileStatus.Identity) throws(FileStatus.Failure) {
        let source = open(original, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard source >= 0 else { throw FileStatus.Failure(code: errno) }
        defer { close(source) }
        var status = stat()
        try Self.require(fstat(source, &status))
        guard FileStatus.Identity(status) == identity else { throw FileStatus.Failure(code: EBUSY) }
        try copyBytes(from: source)
        try Self.require(fchmod(descriptor, status.st_mode & 0o7777))
        #if canImport(Darwin)
        var times = [status.st_atimespec, status.st_mtimespec]
        #else
        var times = [status.st_atim, status.st_mtim]
        #endif
        try Self.require(futimens(descriptor, &times))
        try flush()
    }

    func fill(with bytes: [UInt8]) throws(FileStatus.Failure) {
        try writeAll(bytes.count, of: bytes)
        try flush()
    }

    private func flush() throws(FileStatus.Failure) {
        try Self.require(fsync(descriptor))
        // The folder is written through to the disk too. The original is removed later, so the name of the copy must
        // survive a crash. Not every file system supports this, so a failure is ignored.
        let folder = open(FilePath(path).folder?.text ?? ".", O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func copyBytes(from source: Int32) throws(FileStatus.Failure) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = try Self.count { read(source, &buffer, buffer.count) }
            if count == 0 { return }
            try writeAll(count, of: buffer)
        }
    }

    private func writeAll(_ count: Int, of bytes: [UInt8]) throws(FileStatus.Failure) {
        var done = 0
        while done < count {
            done += try Self.count {
                bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, count - done) }
            }
        }
    }

    /// Makes a system call that returns a number of bytes. The call is repeated if a signal has interrupted it.
    private static func count(_ call: () -> Int) throws(FileStatus.Failure) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            if errno != EINTR { throw FileStatus.Failure(code: errno) }
        }
    }

    private static func require(_ result: Int32) throws(FileStatus.Failure) {
        if result != 0 { throw FileStatus.Failure(code: errno) }
    }
}
