import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// The later part of a large scan. A helper thread, which would otherwise be idle, reads it while the thread in front,
/// which runs the decode, reads the earlier part.
///
/// The part begins like any part of `SingleScanReader`, with the guess that a unit begins at its first byte. Its units
/// count only once the thread in front comes to a place where one of them begins.
/// - The runs of units that were read wait until the thread in front takes them. If too many are waiting, the helper
///   thread pauses.
/// - If the helper thread is wanted for other work, it stops, and the thread in front reads the rest of the part.
///
/// `Sendable` is unchecked because of `scan`, which two threads never use at once. It belongs to the helper thread
/// until that thread sets `hasEnded` under the lock, and to the thread in front afterwards.
final class ScanAhead: @unchecked Sendable {
    /// A run that waits for the thread in front. Only the thread that takes it uses it afterwards.
    struct Kept: @unchecked Sendable {
        let run: InterleavedBlocks
    }

    /// The state that both threads share: the runs that wait for the thread in front, and flags that tell whether the
    /// helper thread has begun, must stop, or has ended.
    struct State {
        var hasBegun = false
        /// Whether the helper thread has ended. From then on the scan belongs to the thread in front.
        var hasEnded = false
        var isUnwanted = false
        var unitStarts: [Int]?
        var runs: [Kept] = []
        var keptByteCount = 0
        var failure: RenderError?
    }

    /// The number of bytes of waiting runs at which the helper thread pauses.
    static let keptByteCount = 4 << 20
    /// The most runs that are handed over at once. Each handover wakes the thread in front, which takes as long as
    /// reading a run.
    private static let batchCount = 16
    private static let batchByteCount = 256 << 10

    private let source: any ByteSource
    private let components: [ScanLayout.Component]
    private let restartInterval: Int
    private let keepsTrails: Bool
    /// The offset in the file at which the part begins. Neither its byte nor the byte before may be 0xFF, so that
    /// neither a marker nor a stuffed byte is cut in two.
    let offset: Int

    let state = Mutex(State())
    /// Signalled for each change of the state that the thread in front may wait for.
    let news = DispatchSemaphore(value: 0)
    /// Signalled when the thread in front takes a run while the memory for runs is full, or ends the reading.
    let departure = DispatchSemaphore(value: 0)
    private(set) var scan: SingleScanReader?

    init(
        _ source: any ByteSource, components: [ScanLayout.Component], restartInterval: Int, at offset: Int,
        keepsTrails: Bool
    ) {
        self.keepsTrails = keepsTrails
        self.source = source
        self.components = components
        self.restartInterval = restartInterval
        self.offset = offset
    }

    func run(isWantedElsewhere: () -> Bool) {
        let isTooLate = isWantedElsewhere()
        let begins = state.withLock { state in
            if isTooLate { state.isUnwanted = true }
            state.hasBegun = !state.isUnwanted
            return state.hasBegun
        }
        guard begins else {
            news.signal()
            return
        }
        do throws(RenderError) {
            try read(until: isWantedElsewhere)
        } catch {
            state.withLock { $0.failure = error }
        }
        state.withLock { $0.hasEnded = true }
        news.signal()
    }

    private func read(until isWantedElsewhere: () -> Bool) throws(RenderError) {
        let input = JPEGInput(source)
        input.position = offset
        let scan = SingleScanReader(
            input, components: components, restartInterval: restartInterval, splitting: .even, keepsTrails: keepsTrails)
        self.scan = scan
        guard let starts = try scan.guessUnits() else { return }
        state.withLock { $0.unitStarts = starts }
        news.signal()
        while scan.damage == nil, hasRoom(until: isWantedElsewhere) {
            var batch: [Kept] = []
            var byteCount = 0
            // If reading fails, the runs that were already read are still handed over, because the consumer may need no more.
            defer { handOver(batch, byteCount) }
            while batch.count < Self.batchCount, byteCount < Self.batchByteCount, scan.damage == nil,
                !mustStop(isWantedElsewhere)
            {
                let run = InterleavedBlocks(try scan.next(.max, keepsCoefficients: true))
                batch.append(Kept(run: run))
                byteCount += run.byteCount
            }
        }
    }

    private func handOver(_ batch: [Kept], _ byteCount: Int) {
        state.withLock { state in
            state.runs += batch
            state.keptByteCount += byteCount
        }
        news.signal()
    }

    private func mustStop(_ isWantedElsewhere: () -> Bool) -> Bool {
        isWantedElsewhere() || state.withLock { $0.isUnwanted }
    }

    /// Waits until the waiting runs take less memory than `keptByteCount`. Returns false if the thread must stop.
    private func hasRoom(until isWantedElsewhere: () -> Bool) -> Bool {
        while !mustStop(isWantedElsewhere) {
            if state.withLock({ $0.keptByteCount < Self.keptByteCount }) { return true }
            // The wait has a timeout, because no signal tells that the thread is wanted elsewhere.
            _ = departure.wait(timeout: .now() + .milliseconds(1))
        }
        return false
    }
}
