import ThumbwheelCore
import ThumbwheelLocks

/// The bytes of a video elsewhere, as an export reads them: mostly in order, in small pieces, on one thread.
///
/// The bytes are brought in long blocks by other threads, and the block after the next one is brought while the export
/// works on this one. So an export does not wait for the network once for each piece. If the export is cancelled, it
/// does not wait for a read either: it leaves the read to its thread, which drops what comes.
final class ExportSource: ByteSource {
    private typealias Block = Result<[UInt8], ByteSourceError>

    private struct State {
        var blocks: [Int: Block] = [:]
        /// The numbers of the blocks in `blocks`, the one that was read last at the end.
        var order: [Int] = []
        var coming: Set<Int> = []
        /// The number of the block that was read last.
        var last = -1
    }

    private static let blockByteCount = 1 << 20
    /// The number of blocks that are kept. Frames and sound may lie apart from each other, and are read in turns.
    private static let keptCount = 6
    /// The number of blocks that are brought ahead of the one that is read.
    private static let aheadCount = 2

    private let base: any ByteSource
    private let token: CancellationToken
    private let threads: BlockingThreads
    private let state = Mutex(State())
    private let arrival = TimedSignal()

    /// - Parameters:
    ///   - token: the token that cancels the export.
    ///   - threads: the threads that read.
    init(_ base: any ByteSource, token: CancellationToken, threads: BlockingThreads = .reads) {
        self.base = base
        self.token = token
        self.threads = threads
    }

    var byteCount: Int { base.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        var done = 0
        while done < buffer.count, offset + done < byteCount {
            let place = offset + done
            let number = place / Self.blockByteCount
            let block = try block(number)
            let rest = block.dropFirst(place - number * Self.blockByteCount).prefix(buffer.count - done)
            guard !rest.isEmpty else { break }
            UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: rest)
            done += rest.count
        }
        return done
    }

    /// Returns a block as soon as it is there.
    private func block(_ number: Int) throws(ByteSourceError) -> [UInt8] {
        let registration = token.onCancel { [arrival] in arrival.raise() }
        defer { token.removeHandler(registration) }
        bring(number)
        while !token.isCancelled {
            let block = state.withLock { state in
                guard let block = state.blocks[number] else { return nil as Block? }
                state.last = number
                state.order.removeAll { $0 == number }
                state.order.append(number)
                return block
            }
            if let block { return try block.get() }
            arrival.wait()
        }
        throw .network(.cancelled)
    }

    /// Begins to bring a block, and those after it if blocks are read in order, unless they are there or coming.
    private func bring(_ number: Int) {
        let missing = state.withLock { state in
            let isInOrder = number == state.last || number == state.last + 1
            let end = (byteCount - 1) / Self.blockByteCount
            let wanted = number...max(number, min(end, number + (isInOrder ? Self.aheadCount : 0)))
            let missing = wanted.filter { state.blocks[$0] == nil && !state.coming.contains($0) }
            state.coming.formUnion(missing)
            return missing
        }
        for number in missing {
            threads.run { [self] in
                let start = number * Self.blockByteCount
                let block = Result { () throws(ByteSourceError) in
                    // An export that was cancelled in the meantime needs nothing more.
                    guard !token.isCancelled else { throw .network(.cancelled) }
                    return try base.bytes(in: start..<min(start + Self.blockByteCount, byteCount))
                }
                put(block, at: number)
            }
        }
    }

    private func put(_ block: Block, at number: Int) {
        state.withLock { state in
            state.coming.remove(number)
            state.blocks[number] = block
            state.order.append(number)
            while state.order.count > Self.keptCount { state.blocks[state.order.removeFirst()] = nil }
        }
        arrival.raise()
    }
}
