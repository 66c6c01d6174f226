#if os(Linux)
import ThumbwheelCore
import ThumbwheelLocks

/// The bytes of a file that a decoder process has to ask its host for.
final class RequestedSource: ByteSource {
    private struct Block {
        var offset: Int
        var bytes: [UInt8]

        /// The bytes from `start` on; empty if the block does not contain `start`.
        func bytes(from start: Int) -> ArraySlice<UInt8> {
            guard start >= offset, start - offset < bytes.count else { return [] }
            return bytes[(start - offset)...]
        }
    }

    let byteCount: Int
    private let connection: HostConnection
    private let front: Block
    /// The block that was read last. If small reads follow one another in the file, most of them are answered from this
    /// block without a message.
    private let last = Mutex(Block(offset: 0, bytes: []))
    /// The smallest number of bytes that a message asks for.
    private static let leastCount = 32 << 10

    init(from connection: HostConnection, byteCount: Int, front: [UInt8]) {
        self.connection = connection
        self.byteCount = byteCount
        self.front = Block(offset: 0, bytes: front)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let wanted = min(buffer.count, byteCount - offset)
        var done = 0
        while done < wanted {
            let piece = try piece(at: offset + done, count: wanted - done).prefix(wanted - done)
            guard !piece.isEmpty else { break }
            UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: piece)
            done += piece.count
        }
        return done
    }

    private func piece(at offset: Int, count: Int) throws(ByteSourceError) -> ArraySlice<UInt8> {
        let known = front.bytes(from: offset)
        if !known.isEmpty { return known }
        let read = last.withLock { $0.bytes(from: offset) }
        if !read.isEmpty { return read }
        let wanted = min(max(count, Self.leastCount), MessageFormat.contentLimit, byteCount - offset)
        guard case .bytes(let bytes)? = connection.ask(.read(offset: offset, count: wanted))?.0, bytes.count <= wanted
        else { throw .unreadable(path: "", code: 0) }
        last.withLock { $0 = Block(offset: offset, bytes: bytes) }
        return bytes[...]
    }
}
#endif
