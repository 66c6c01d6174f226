#if os(Linux)
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
        guard offset >= 0, offset < byteCount else { return 0 }
        let wanted = min(buffer.count, byteCount - offset)
        return try FileByteSource.read(
            descriptor.rawValue, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: start + offset,
            path: "")
    }
}
#endif
