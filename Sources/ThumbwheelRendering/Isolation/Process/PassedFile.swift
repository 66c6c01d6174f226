#if os(Linux)
import Glibc
import ThumbwheelCore

/// A part of a file that the host has opened for a decoder process.
final class PassedFile: ByteSource {
    private let descriptor: PassedDescriptor
    private let start: Int
    let byteCount: Int

    init(_ descriptor: PassedDescriptor, start: Int, byteCount: Int) {
        self.descriptor = descriptor
        self.start = start
        self.byteCount = byteCount
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < byteCount, let target = buffer.baseAddress else { return 0 }
        let wanted = min(buffer.count, byteCount - offset)
        var done = 0
        while done < wanted {
            let count = pread(descriptor.number, target + done, wanted - done, off_t(start + offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path: "", code: errno)
            }
            if count == 0 { break }
            done += count
        }
        return done
    }
}
#endif
