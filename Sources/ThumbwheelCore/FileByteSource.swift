#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The bytes of a file, read by `pread`. The file is never mapped, because a mapped file that is cut short kills the
/// process.
///
/// The file stays open as long as the source lives, so that renaming or deleting it does no harm. A file that is cut
/// short reads as a file that ends early.
public final class FileByteSource: ByteSource {
    /// The path that was opened.
    public let path: String
    public let byteCount: Int
    /// The time of the last change of the file before it was opened, in nanoseconds since 1970.
    package let modificationTime: Int64
    /// The descriptor of the open file. It is closed with the source.
    package let descriptor: Int32

    /// Opens the file at `path` for reading.
    ///
    /// - Throws: `ByteSourceError`: `.notFound`, `.notAFile`, `.unreadable`.
    public init(path: String) throws(ByteSourceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            throw code == ENOENT || code == ENOTDIR ? .notFound(path: path) : .unreadable(path: path, code: code)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile(path: path)
        }
        self.path = path
        self.descriptor = descriptor
        self.byteCount = Int(status.st_size)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modificationTime = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    deinit {
        close(descriptor)
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let wanted = min(buffer.count, byteCount - offset)
        return try Self.read(
            descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset, path: path)
    }

    /// Reads from an open file until a buffer is full or the file ends.
    ///
    /// - Parameter path: the path of the file, for errors.
    /// - Returns: the number of bytes that were read.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int, path: String
    ) throws(ByteSourceError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path: path, code: errno)
            }
            if count == 0 { break }
            done += count
        }
        return done
    }
}
