import Foundation
import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes the bytes of a resource into a file under a temporary name. The file gets its real name after it is complete
/// and flushed to the disk. So at any moment there is either the whole file under its real name or no file.
final class FileSink: ResourceSink {
    private enum State {
        case unopened
        case open(descriptor: Int32, byteCount: off_t, endsInHole: Bool)
        case over
    }

    private let path: String
    private let folder: String
    private let partialPath: String
    // The lock is held while a chunk is written, so that no write follows the removal of the file.
    private let state = Mutex(State.unopened)

    init(path: String) {
        self.path = path
        folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
        partialPath = folder + ".thumbwheel-" + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    deinit { abandon() }

    func receive(_ chunk: [UInt8]) throws(AssetResourceError) {
        try state.withLock { state throws(AssetResourceError) in
            guard let (descriptor, byteCount) = try opened(&state) else { return }
            // A chunk of zeros becomes a hole in the file, so that a sparse file stays sparse.
            let isHole = Self.isAllZeros(chunk)
            if !isHole { try write(chunk, to: descriptor, at: byteCount) }
            state = .open(
                descriptor: descriptor, byteCount: byteCount + off_t(chunk.count), endsInHole: isHole)
        }
    }

    /// The open file and its length so far. The first call creates the file. Nil if the file is finished or abandoned.
    private func opened(_ state: inout State) throws(AssetResourceError) -> (descriptor: Int32, byteCount: off_t)? {
        switch state {
        case .over: return nil
        case .open(let descriptor, let byteCount, _): return (descriptor, byteCount)
        case .unopened:
            let descriptor = open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard descriptor >= 0 else { throw .unwritable(path: path, code: errno) }
            state = .open(descriptor: descriptor, byteCount: 0, endsInHole: false)
            return (descriptor, 0)
        }
    }

    private func write(_ chunk: [UInt8], to descriptor: Int32, at offset: off_t) throws(AssetResourceError) {
        var done = 0
        while done < chunk.count {
            let count = chunk.withUnsafeBytes { bytes in
                pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, offset + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unwritable(path: path, code: count < 0 ? errno : EIO) }
            done += count
        }
    }

    private static func isAllZeros(_ chunk: [UInt8]) -> Bool {
        // Tests whether the first byte is zero and each further byte equals the byte before it. One call of `memcmp`
        // compares all bytes with their predecessors, because it compares the chunk with the same chunk shifted by one
        // byte.
        chunk.withUnsafeBytes { bytes in
            bytes.first == 0 && memcmp(bytes.baseAddress!, bytes.baseAddress! + 1, bytes.count - 1) == 0
        }
    }

    func finish() throws(AssetResourceError) {
        try state.withLock { state throws(AssetResourceError) in
            // An empty resource becomes an empty file.
            guard let (descriptor, byteCount) = try opened(&state) else { return }
            if case .open(_, _, endsInHole: true) = state, ftruncate(descriptor, byteCount) != 0 {
                throw .unwritable(path: path, code: errno)
            }
            guard fsync(descriptor) == 0, rename(partialPath, path) == 0 else {
                throw .unwritable(path: path, code: errno)
            }
            close(descriptor)
            state = .over
        }
        flushFolder()
    }

    func abandon() {
        state.withLock { state in
            if case .open(let descriptor, _, _) = state {
                unlink(partialPath)
                close(descriptor)
            }
            state = .over
        }
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
