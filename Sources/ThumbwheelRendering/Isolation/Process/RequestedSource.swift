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
    private let window: WindowMapping?

    private struct State {
        var blocks: WindowBlocks
        /// The bytes that were requested from the host ahead of need. Nil if there are none, or if the host's answer
        /// has been received.
        var ahead: WindowBlocks.ReadRequest?
    }

    /// The blocks of the window, the memory in which the host places bytes. A thread holds the lock for the whole read.
    /// Otherwise another thread could have new bytes placed in the block from which this thread is reading.
    private let state: Mutex<State>

    /// - Parameter window: the memory in which the host places the bytes that this source asks for; nil if all bytes
    ///   have come with the job.
    init(
        from connection: HostConnection, byteCount: Int, front: [UInt8], window: WindowMapping?, readsAhead: Bool
    ) {
        self.connection = connection
        self.byteCount = byteCount
        self.front = front
        self.window = window
        state = Mutex(State(blocks: WindowBlocks(fileEnd: byteCount, readsAhead: readsAhead)))
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

    /// Reads bytes that the host has placed in the window (shared memory). If the byte at `offset` is not in the
    /// window, the host is first asked to place it there.
    private func readPlaced(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(ByteSourceError) -> Int {
        guard let window else { throw Self.unreadable }
        return try state.withLock { state throws(ByteSourceError) in
            let block = try block(containing: offset, atLeast: buffer.count, &state)
            guard block.range.contains(offset) else { return 0 }
            askAhead(after: block, &state)
            let count = min(buffer.count, block.range.upperBound - offset)
            window.copyBytes(
                at: block.place + offset - block.range.lowerBound,
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            return count
        }
    }

    /// Returns the block that contains the byte at `offset`, after asking the host for it if necessary. If the host
    /// finds that the file ends at or before `offset`, the returned block is empty.
    private func block(
        containing offset: Int, atLeast wanted: Int, _ state: inout State
    ) throws(ByteSourceError) -> WindowBlocks.Block {
        if let known = state.blocks.block(containing: offset) { return known }
        if let ahead = state.ahead {
            state.ahead = nil
            let count = try placedCount(of: ahead, connection.collectAnswer())
            _ = state.blocks.fill(ahead, count: count)
            if let known = state.blocks.block(containing: offset) { return known }
        }
        let request = state.blocks.request(from: offset, atLeast: wanted)
        let count = try placedCount(of: request, connection.ask(question(request)))
        return state.blocks.fill(request, count: count)
    }

    /// Asks for the bytes that follow a block, so that the host places them in the window while the decoder works on
    /// the bytes of the block.
    private func askAhead(after block: WindowBlocks.Block, _ state: inout State) {
        guard state.ahead == nil, let request = state.blocks.request(after: block) else { return }
        connection.askAhead(question(request))
        state.ahead = request
    }

    private func question(_ request: WindowBlocks.ReadRequest) -> DecoderMessage {
        .read(offset: request.offset, count: request.count, place: request.place)
    }

    private func placedCount(
        of request: WindowBlocks.ReadRequest, _ answer: HostConnection.Received?
    ) throws(ByteSourceError) -> Int {
        guard case .placed(let count)? = answer?.message, count <= request.count else { throw Self.unreadable }
        return count
    }

    private static let unreadable = ByteSourceError.unreadable(path: "", code: 0)
}
#endif
