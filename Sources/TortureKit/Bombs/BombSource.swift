import Thumbwheel
import ThumbwheelLocks

/// A bomb's bytes, counted as they are read.
package final class BombSource: ByteSource {
    package let byteCount: Int
    private let front: MemoryByteSource
    private let count = Mutex(0)

    package init(_ bomb: Bomb) {
        front = MemoryByteSource(bomb.front)
        byteCount = bomb.byteCount
    }

    /// Bytes read since the last time that this was asked.
    package func takeReadByteCount() -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let wanted = min(buffer.count, max(0, byteCount - offset))
        let copied = front.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
        for index in copied..<wanted { buffer[index] = 0 }
        count.withLock { $0 += wanted }
        return wanted
    }
}
