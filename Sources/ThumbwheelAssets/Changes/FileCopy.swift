import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A new file that becomes a durable copy of another file, with the same permissions and modification date.
final class FileCopy {
    private let path: String
    private let descriptor: Int32

    /// Creates the file; nil, with the reason in `errno`, if the file cannot be created or its name is already taken.
    init?(at path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// - Parameter identity: the identity of the file that must still be at `path`, so that no other file is copied
    ///   instead.
    func fill(from path: String, _ identity: FileStatus.Identity) throws(FileStatus.Failure) {
        let source = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
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
        try Self.require(fsync(descriptor))
        // Synchronises the folder too, so that the new name survives a crash, because the original is removed later. Not
        // every file system supports this, so a failure is ignored.
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
            var done = 0
            while done < count {
                done += try Self.count {
                    buffer.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, count - done) }
                }
            }
        }
    }

    /// Repeats a system call for as long as signals interrupt it.
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
