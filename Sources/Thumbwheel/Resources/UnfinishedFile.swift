import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is written under a temporary name in the folder of its real name. It gets its real name only when it is
/// complete and flushed to the disk. So an incomplete file never appears under the real name, and a file that had this
/// name before stays until then.
///
/// The class is not safe to use from several threads at once. If the file is neither finished nor abandoned, it is
/// removed when the object is destroyed.
final class UnfinishedFile {
    /// An operation on the file has failed; `code` is an error number of the system (`errno`).
    struct Failure: Error {
        let code: Int32
    }

    let path: String
    private let folder: String
    private let partialPath: String
    /// The open file; nil once it is finished or abandoned.
    private var descriptor: Int32?
    /// The end of the bytes that the system has been told to begin to write to the disk.
    private(set) var flushedByteCount = 0

    /// The number of bytes after which the system is told to begin.
    private static let flushStep = 16 << 20

    /// Creates the file under its temporary name.
    init(path: String) throws(Failure) {
        self.path = path
        folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
        partialPath = folder + ".thumbwheel-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let opened = open(partialPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard opened >= 0 else { throw Failure(code: errno) }
        descriptor = opened
    }

    deinit { abandon() }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Failure) {
        guard let descriptor else { throw Failure(code: EBADF) }
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(code: count < 0 ? errno : EIO) }
            done += count
        }
        beginFlushing(upTo: offset + done, to: descriptor)
    }

    /// Has bytes written to the disk while others are still made. Otherwise the disk would begin only when `finish`
    /// waits for all of them.
    private func beginFlushing(upTo end: Int, to descriptor: Int32) {
        guard end - flushedByteCount >= Self.flushStep else { return }
        #if !canImport(Darwin)
        // Writing begins for pages that are not on the disk. They stay in memory, because they are in use while they
        // are written.
        posix_fadvise(descriptor, off_t(flushedByteCount), off_t(end - flushedByteCount), POSIX_FADV_DONTNEED)
        #endif
        flushedByteCount = end
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(Failure) {
        let failure = bytes.withUnsafeBytes { bytes -> Failure? in
            do throws(Failure) {
                try write(bytes, at: offset)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Reads bytes that have been written.
    ///
    /// - Returns: the number of bytes that were read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) -> Int {
        guard let descriptor else { throw Failure(code: EBADF) }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(code: errno) }
            return count
        }
    }

    /// Sets the length of the file. If the file was shorter, the new bytes at its end are zeros.
    func setLength(_ byteCount: Int) throws(Failure) {
        guard let descriptor, ftruncate(descriptor, off_t(byteCount)) == 0 else { throw Failure(code: errno) }
    }

    /// Flushes the file to the disk, and gives it its real name in the place of whatever has that name.
    func finish() throws(Failure) {
        guard let descriptor else { throw Failure(code: EBADF) }
        guard fsync(descriptor) == 0, rename(partialPath, path) == 0 else { throw Failure(code: errno) }
        close(descriptor)
        self.descriptor = nil
        flushFolder()
    }

    /// Removes the file; does nothing if it is finished.
    func abandon() {
        guard let descriptor else { return }
        unlink(partialPath)
        close(descriptor)
        self.descriptor = nil
    }

    /// Flushes the folder, so that the new name survives a loss of power. Not every file system can do this, so a
    /// failure is ignored.
    private func flushFolder() {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
