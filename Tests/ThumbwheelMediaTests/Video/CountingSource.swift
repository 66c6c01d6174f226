import ThumbwheelCore
import ThumbwheelLocks

/// A source that counts the bytes that are read of it, and cancels a token with one of its reads.
final class CountingSource: ByteSource {
    private let bytes: MemoryByteSource
    private let token: CancellationToken
    private let last: Int
    private let counts = Mutex((reads: 0, bytes: 0))

    init(_ bytes: [UInt8], cancelling token: CancellationToken = CancellationToken(), atRead last: Int = .max) {
        self.bytes = MemoryByteSource(bytes)
        self.token = token
        self.last = last
    }

    var byteCount: Int { bytes.byteCount }
    var readCount: Int { counts.withLock { $0.reads } }
    var readByteCount: Int { counts.withLock { $0.bytes } }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        let count = bytes.read(into: buffer, at: offset)
        let reads = counts.withLock { counts in
            counts.reads += 1
            counts.bytes += count
            return counts.reads
        }
        if reads == last { token.cancel() }
        return count
    }
}
