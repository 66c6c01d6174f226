import Dispatch
import Thumbwheel
import ThumbwheelLocks

/// Bytes that are read step by step: reads are counted, may fail at an offset, and wait while the provider is suspended.
package final class StepwiseProvider: ResourceProvider {
    private struct State {
        /// Reads that end beyond this offset wait.
        var freeByteCount = Int.max
        var ranges: [Range<Int>] = []
        var heldCount = 0
        var gates: [DispatchSemaphore] = []
        var watchers: [(heldCount: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    package let identifier: String
    package let requiresNetwork: Bool
    package let offersRanges: Bool
    private let contents: [UInt8]
    private let failingOffset: Int
    /// How many bytes the source claims to have; it ends where the contents do.
    private let claimedByteCount: Int
    private let state = Mutex(State())

    package init(
        _ contents: [UInt8], named identifier: String = "stepwise", failingAt failingOffset: Int = .max,
        claiming claimedByteCount: Int? = nil, requiresNetwork: Bool = false,
        offersRanges: Bool = false, isSuspended: Bool = false
    ) {
        self.identifier = identifier
        self.contents = contents
        self.failingOffset = failingOffset
        self.claimedByteCount = claimedByteCount ?? contents.count
        self.requiresNetwork = requiresNetwork
        self.offersRanges = offersRanges
        if isSuspended { suspend() }
    }

    package var readCount: Int { ranges.count }
    /// The ranges that were asked for, in the order in which they were.
    package var ranges: [Range<Int>] { state.withLock { $0.ranges } }
    /// How many bytes were asked for.
    package var readByteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    package func open() -> any ByteSource { Source(provider: self) }

    /// From now on, reads that end beyond `offset` wait.
    package func suspend(beyond offset: Int = 0) { state.withLock { $0.freeByteCount = offset } }

    package func resume() {
        let gates = state.withLock { state in
            state.freeByteCount = .max
            defer { state.gates = [] }
            return state.gates
        }
        for gate in gates { gate.signal() }
    }

    /// Returns when this many reads have been held up.
    package func waitForHeldReads(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.heldCount < count { state.watchers.append((count, continuation)) }
                return state.heldCount >= count
            }
            if isThere { continuation.resume() }
        }
    }

    private struct Source: ByteSource {
        let provider: StepwiseProvider

        var byteCount: Int { provider.claimedByteCount }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
            try provider.read(into: buffer, at: offset)
        }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        let (gate, watchers) = state.withLock { state in
            state.ranges.append(offset..<min(offset + buffer.count, max(offset, contents.count)))
            guard offset + buffer.count > state.freeByteCount else {
                return (nil, []) as (DispatchSemaphore?, [CheckedContinuation<Void, Never>])
            }
            let gate = DispatchSemaphore(value: 0)
            state.gates.append(gate)
            state.heldCount += 1
            let ready = state.watchers.filter { $0.heldCount <= state.heldCount }
            state.watchers.removeAll { $0.heldCount <= state.heldCount }
            return (gate, ready.map(\.continuation))
        }
        for watcher in watchers { watcher.resume() }
        gate?.wait()
        guard offset < failingOffset else { throw .network(.connectionFailed(reason: "test")) }
        return MemoryByteSource(contents).read(into: buffer, at: offset)
    }
}
