#if os(Linux)
import Glibc
import ThumbwheelCore
import ThumbwheelLocks

/// The bytes of a file that a decoder process has to ask its host for. The host places them in a window, which is memory
/// that both processes share.
final class RequestedSource: ByteSource {
    let byteCount: Int
    private let connection: HostConnection
    private let front: [UInt8]
    private let window: PassedDescriptor?
    private let readsAhead: Bool
    /// The blocks of the window. A thread holds the lock for the whole read. Otherwise another thread could have new
    /// bytes placed in the block from which this thread is reading.
    private let blocks = Mutex(WindowBlocks())

    /// - Parameter window: the window of the job; nil if all bytes have come with the job.
    init(
        from connection: HostConnection, byteCount: Int, front: [UInt8], window: PassedDescriptor?, readsAhead: Bool
    ) {
        self.connection = connection
        self.byteCount = byteCount
        self.front = front
        self.window = window
        self.readsAhead = readsAhead
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let wanted = min(buffer.count, byteCount - offset)
        var done = 0
        if offset < front.count {
            done = min(wanted, front.count - offset)
            buffer.copyBytes(from: front[offset..<offset + done])
        }
        while done < wanted {
            let count = try readPlaced(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<wanted]), at: offset + done)
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    /// Reads bytes from the block that contains `offset`, which the host is asked for if it is not in the window.
    private func readPlaced(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(ByteSourceError) -> Int {
        guard let window else { throw Self.unreadable }
        return try blocks.withLock { blocks throws(ByteSourceError) in
            let block: WindowBlocks.Block
            if let known = blocks.block(containing: offset) {
                block = known
            } else {
                let (count, index) = blocks.prepare(
                    for: offset, atLeast: buffer.count, fileEnd: byteCount, readsAhead: readsAhead)
                let place = index * WindowBlocks.byteCount
                let answer = connection.ask(.read(offset: offset, count: count, place: place))?.0
                guard case .placed(let placed)? = answer, placed <= count else { throw Self.unreadable }
                guard placed > 0 else { return 0 }
                block = blocks.fill(index, from: offset, count: placed)
            }
            let count = min(buffer.count, block.range.upperBound - offset)
            // The window is read by a system call, and not mapped into this process's memory: the page faults of a
            // mapping would take more time than the call.
            let place = block.place + offset - block.range.lowerBound
            guard pread(window.number, buffer.baseAddress, count, place) == count else { throw Self.unreadable }
            return count
        }
    }

    private static let unreadable = ByteSourceError.unreadable(path: "", code: 0)
}
#endif
