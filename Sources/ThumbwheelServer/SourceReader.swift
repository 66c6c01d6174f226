import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelService

/// Sends a range of a file, or of another source, whose blocks are read on threads that may wait for a disk. While one block is being sent,
/// the next one is read; the connection is suspended where that takes longer.
///
/// A read that hangs keeps a thread and the source for as long as it hangs. Its connection ends as soon as the client leaves.
final class SourceReader: Sendable {
    private struct State {
        /// A block that has been read and not been sent.
        var block: [UInt8]?
        /// The place in the source of the block that is read next, or is being read.
        var next: Int
        var isReading = false
        /// Whether the block counts among those that are read ahead.
        var isAhead = false
        /// Whether the connection is suspended, and is to be resumed with the next block.
        var isWaiting = false
        /// Whether nothing is sent any more: a block could not be read, or the client has left.
        var isOver = false
        /// The milliseconds that the client had left to take the response when the connection was suspended.
        var timeLeft: Int?
    }

    /// The bytes of a block. libmicrohttpd has a buffer of that size for each response.
    static let blockByteCount = 128 << 10

    private let source: any ByteSource
    private let end: Int
    private let core: ServerCore
    private let connection: ConnectionPointer
    private let state: Mutex<State>
    let peer: Peer?

    init(
        _ source: any ByteSource, _ range: Range<Int>, _ core: ServerCore, _ connection: OpaquePointer, _ peer: Peer?
    ) {
        (self.source, end, self.core, self.peer) = (source, range.upperBound, core, peer)
        self.connection = ConnectionPointer(pointer: connection)
        state = Mutex(State(next: range.lowerBound))
    }

    deinit {
        if state.withLock({ $0.isAhead }) { core.readAhead.end() }
    }

    /// - Parameter buffer: As long as a block, or as what is left of the range.
    /// - Returns: the number of bytes copied; 0 if the connection has been suspended; nil if the bytes cannot be had.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let (block, wasAhead, timeLeft) = state.withLock { state in
            defer { if state.block != nil { (state.block, state.isAhead) = (nil, false) } }
            return (state.block, state.block != nil && state.isAhead, state.timeLeft.take())
        }
        if let timeLeft { peer?.expect(within: timeLeft) }
        if wasAhead { core.readAhead.end() }
        guard let block else { return wait() }
        guard block.count <= buffer.count else { return nil }
        beginBlock(isAhead: true)
        buffer.copyBytes(from: block)
        return block.count
    }

    /// Suspends the connection until there is a block.
    ///
    /// - Returns: 0; nil if none will come.
    private func wait() -> Int? {
        guard let peer, state.withLock({ !$0.isOver && $0.next < end }) else { return nil }
        let timeLeft = peer.millisecondsLeft
        guard core.suspend(connection.pointer, peer, isStream: false, cancel: { [self] in leave() }) else { return nil }
        beginBlock(isAhead: false)
        let isReady = state.withLock { state in
            state.timeLeft = timeLeft
            state.isWaiting = state.block == nil && !state.isOver
            return !state.isWaiting
        }
        if isReady { core.resume(connection, peer) }
        return 0
    }

    /// Has the next block read, unless one is there, one is being read, or the last one has been.
    ///
    /// - Parameter isAhead: Whether nobody waits for the block. There may be no room for more of these.
    private func beginBlock(isAhead: Bool) {
        guard !isAhead || core.readAhead.begin() else { return }
        let place = state.withLock { state -> Int? in
            guard !state.isReading, state.block == nil, !state.isOver, state.next < end else { return nil }
            (state.isReading, state.isAhead) = (true, isAhead)
            return state.next
        }
        if let place {
            BlockingThreads.transfers.run { [self] in readBlock(at: place) }
        } else if isAhead {
            core.readAhead.end()
        }
    }

    private func readBlock(at place: Int) {
        let block = try? [UInt8](unsafeUninitializedCapacity: min(Self.blockByteCount, end - place)) { bytes, count in
            count = try source.read(into: UnsafeMutableRawBufferPointer(bytes), at: place)
        }
        resume { state in
            state.isReading = false
            // A source that ends before the range does has been cut short.
            if let block, !block.isEmpty, !state.isOver {
                (state.block, state.next) = (block, place + block.count)
            } else {
                state.isOver = true
            }
        }
    }

    /// The client has left.
    private func leave() { resume { $0.isOver = true } }

    /// Resumes the connection, if it waits, with what has changed.
    private func resume(_ change: (inout State) -> Void) {
        let isToResume = state.withLock { state in
            change(&state)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isToResume, let peer { core.resume(connection, peer) }
    }
}
