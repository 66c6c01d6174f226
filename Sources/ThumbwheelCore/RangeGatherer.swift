import ThumbwheelLocks

/// Reads parts of another source, which may be slow, and stores them in memory, so that they can be read again without
/// waiting.
///
/// A parser learns only while it reads which bytes it needs. So it reads from the gatherer itself, which reads missing
/// bytes from the other source while the parser waits. Ranges that are known beforehand are gathered with a few large
/// reads.
package final class RangeGatherer: ByteSource {
    private struct State {
        var blocks: [Int: ArraySlice<UInt8>] = [:]
        var gatheredByteCount = 0
        /// The end of the last read, and the number of successive reads that each began where the read before ended.
        /// After two such reads, more of them are likely.
        var lastEnd = -1
        var sequentialCount = 0
        var lastByteCount = 0
    }

    /// The longest read in bytes. Between two reads, the gatherer checks whether it has been cancelled.
    private static let readLimit = 512 << 10

    private let base: any ByteSource
    private let byteLimit: Int
    private let cancellation: CancellationToken?
    private let progress: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - base: the source that is read from; its reads may wait.
    ///   - byteLimit: the largest number of bytes to store. If more are needed, `.network(.tooLarge)` is thrown.
    ///   - progress: called after each read with the number of bytes stored so far.
    package init(
        _ base: any ByteSource, byteLimit: Int, cancellation: CancellationToken? = nil,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.base = base
        self.byteLimit = byteLimit
        self.cancellation = cancellation
        self.progress = progress
    }

    package var byteCount: Int { base.byteCount }

    /// The number of bytes stored so far.
    package var gatheredByteCount: Int { state.withLock { $0.gatheredByteCount } }

    /// The stored bytes, as a source with the length of the source that they were read from.
    package var gathered: GatheredByteSource { gathered(isLast: false) }

    /// The stored bytes, as a source with the length of the source that they were read from.
    ///
    /// - Parameter isLast: whether no further bytes are fetched if a decoder asks for some.
    package func gathered(isLast: Bool) -> GatheredByteSource {
        GatheredByteSource(byteCount: byteCount, blocks: state.withLock { $0.blocks }, isLast: isLast)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard let wanted = SourceBlocks.range(of: buffer, at: offset, byteCount: byteCount) else { return 0 }
        try bring(SourceBlocks.numbers(of: wanted), readingAhead: true)
        let blocks = state.withLock { $0.blocks }
        guard SourceBlocks.copy(blocks, of: wanted, into: buffer) else {
            throw .network(.truncated(receivedByteCount: offset, expectedByteCount: byteCount))
        }
        return wanted.count
    }

    /// Reads and stores the bytes of the ranges, except those that are stored already. Bytes beyond the source's end
    /// are ignored.
    package func gather(_ ranges: [Range<Int>]) throws(ByteSourceError) {
        let inside = ranges.map { $0.clamped(to: 0..<byteCount) }.filter { !$0.isEmpty }
        var joined: [Range<Int>] = []
        for numbers in inside.map(SourceBlocks.numbers(of:)).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, numbers.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, numbers.upperBound)
            } else {
                joined.append(numbers)
            }
        }
        for numbers in joined { try bring(numbers, readingAhead: false) }
    }

    /// Reads and stores those of the given blocks that are missing. Adjacent blocks are read together, in reads of
    /// limited length.
    private func bring(_ numbers: Range<Int>, readingAhead: Bool) throws(ByteSourceError) {
        var number = numbers.lowerBound
        while number < numbers.upperBound {
            let run = state.withLock { state in
                number = numbers.first { $0 >= number && state.blocks[$0] == nil } ?? numbers.upperBound
                guard number < numbers.upperBound else { return number..<number }
                var end = (number..<numbers.upperBound).first { state.blocks[$0] != nil } ?? numbers.upperBound
                if number * SourceBlocks.byteCount == state.lastEnd {
                    state.sequentialCount += 1
                } else {
                    state.sequentialCount = 0
                }
                if readingAhead, state.sequentialCount > 1 {
                    // While each read begins where the last one ended, each is twice as long as the last one.
                    let ahead = number + 2 * state.lastByteCount / SourceBlocks.byteCount
                    end = max(end, (end..<max(end, ahead)).first { state.blocks[$0] != nil } ?? ahead)
                }
                return number..<min(end, number + Self.readLimit / SourceBlocks.byteCount)
            }
            guard !run.isEmpty else { return }
            try bring(run)
            number = run.upperBound
        }
    }

    private func bring(_ run: Range<Int>) throws(ByteSourceError) {
        if let cancellation, cancellation.isCancelled { throw .network(.cancelled) }
        let size = SourceBlocks.byteCount
        let range = run.lowerBound * size..<min(run.upperBound * size, byteCount)
        guard gatheredByteCount + range.count <= byteLimit else { throw .network(.tooLarge(limit: byteLimit)) }
        let bytes = try base.bytes(in: range)
        guard bytes.count == range.count else {
            throw .network(.truncated(receivedByteCount: bytes.count, expectedByteCount: range.count))
        }
        let count = state.withLock { state in
            for start in stride(from: 0, to: bytes.count, by: size) {
                let block = bytes[start..<min(start + size, bytes.count)]
                if state.blocks.updateValue(block, forKey: (range.lowerBound + start) / size) == nil {
                    state.gatheredByteCount += block.count
                }
            }
            (state.lastEnd, state.lastByteCount) = (range.upperBound, range.count)
            return state.gatheredByteCount
        }
        progress(count)
    }
}
