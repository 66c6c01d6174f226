import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file whose descriptor a server may send from. The file is closed with the last reference to the object.
public final class OpenFile: ByteSource {
    /// The descriptor. Duplicate it for whoever closes it.
    public let descriptor: Int32
    public let byteCount: Int
    /// The date of the last change, in seconds since 1970.
    let modificationTime: Int

    /// Opens the file at a path.
    ///
    /// - Parameter roots: The folders that the file must really lie in; without any, it may lie anywhere. The check is of
    ///   the file that has been opened, so a symbolic link that is put in the file's place a moment before leads nowhere else.
    /// - Returns: nil if there is no such file, it is no plain file, or it lies elsewhere.
    init?(path: String, roots: [String]) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        byteCount = isFile ? Int(status.st_size) : 0
        #if canImport(Darwin)
        modificationTime = Int(status.st_mtimespec.tv_sec)
        #else
        modificationTime = Int(status.st_mtim.tv_sec)
        #endif
        // From here on, returning nil destroys the object, which closes the file.
        guard isFile,
            roots.isEmpty || Self.place(of: descriptor, path).map({ LibraryRoots(roots).containResolved($0) }) == true
        else { return nil }
    }

    deinit { close(descriptor) }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let wanted = min(buffer.count, byteCount - offset)
        var done = 0
        while done < wanted {
            let count = pread(descriptor, buffer.baseAddress! + done, wanted - done, off_t(offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path: "", code: errno)
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// The path of the file that is open, with all links resolved.
    private static func place(of descriptor: Int32, _ path: String) -> String? {
        #if os(Linux)
        let link = "/proc/self/fd/\(descriptor)"
        #else
        let link = path
        #endif
        guard let resolved = realpath(link, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
