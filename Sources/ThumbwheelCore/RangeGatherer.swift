import ThumbwheelLocks

/// Reads parts of another source, which may be slow, and keeps them, so that they can be read again without waiting.
///
/// A reader that finds out what it needs as it goes on, such as a parser, reads from the gatherer itself: what is missing
/// is brought while it waits. Ranges that are known beforehand are gathered with few and large reads.
package final class RangeGatherer: ByteSource {
    private struct State {
        var blocks: [Int: ArraySlice<UInt8>] = [:]
        var gatheredByteCount = 0
        /// The end of the last read, and how many reads went on where the one before ended. A reader that has gone on once is
        /// likely to go on further.
        var lastEnd = -1
        var sequentialCount = 0
        var lastByteCount = 0
    }

    /// The longest read in bytes. Between two reads, the gatherer looks whether it is still wanted.
    private static let readLimit = 512 << 10

    private let base: any ByteSource
    private let byteLimit: Int
    private let cancellation: CancellationToken?
    private let progress: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - base: the source that is read from; its reads may wait.
    ///   - byteLimit: the greatest number of bytes to keep; more throws `.network(.tooLarge)`.
    ///   - progress: called with the number of bytes that are here, after each read.
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

    /// The number of bytes that are here.
    package var gatheredByteCount: Int { state.withLock { $0.gatheredByteCount } }

    /// The bytes that are here, as a source of the whole length.
    package var gathered: GatheredByteSource {
        GatheredByteSource(byteCount: byteCount, blocks: state.withLock { $0.blocks })
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

    /// Brings the ranges that are not here yet; what lies behind the source's end is ignored.
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

    /// Brings the blocks that are missing, each run of them with reads of limited length.
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
                    // A reader that goes on and on gets twice as much each time.
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
