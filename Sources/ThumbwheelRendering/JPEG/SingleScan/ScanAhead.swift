import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// The later part of a large scan, which a helper thread reads ahead. Meanwhile the decode's thread reads the earlier
/// part. Without this work, the helper thread would be idle.
///
/// The helper thread begins with the guess that a minimum coded unit begins at the first byte of its part. The units
/// that it reads are used only if the decode's thread reaches a position where one of them begins.
/// - The runs of units that the helper thread has read wait until the decode's thread takes them. If too many runs are
///   waiting, the helper thread pauses.
/// - If the helper thread is needed for other work, it stops, and the decode's thread reads the rest of the part.
///
/// `Sendable` is unchecked because of `scan`, which the two threads never use at once. It belongs to the helper thread
/// until that thread sets `hasEnded` under the lock, and to the decode's thread afterwards.
final class ScanAhead: @unchecked Sendable {
    /// A run of minimum coded units that the helper thread has read, and that the decode's thread has not taken yet.
    /// `Sendable` is unchecked, because the two threads never use a run at the same time.
    struct Kept: @unchecked Sendable {
        let run: InterleavedBlocks
    }

    /// The state that both threads share. It contains the runs of minimum coded units that the decode's thread has not
    /// taken yet. It also has flags that tell whether the helper thread has begun, must stop, or has ended.
    struct State {
        var hasBegun = false
        /// Whether the helper thread has ended. From then on, `scan` belongs to the decode's thread.
        var hasEnded = false
        var isUnwanted = false
        var unitStarts: [Int]?
        var runs: [Kept] = []
        var keptByteCount = 0
        var failure: RenderError?
    }

    /// The number of bytes of decoded minimum coded units at which the helper thread pauses. Only units that the
    /// decode's thread has not taken yet are counted. The helper thread goes on when enough of them have been taken.
    static let keptByteLimit = 4 << 20
    /// The largest number of runs of minimum coded units that the helper thread hands over at once. Several runs are
    /// handed over together, because each handover wakes the decode's thread, and waking a thread takes as long as
    /// reading one run.
    private static let batchCount = 16
    private static let batchByteCount = 256 << 10

    private let source: any ByteSource
    private let components: [ScanLayout.Component]
    private let restartInterval: Int
    private let keepsTrails: Bool
    /// The offset in the file at which the part begins. Neither the byte at this offset nor the byte before it may be
    /// 0xFF, so that neither a marker nor a stuffed byte is cut in two.
    let offset: Int

    let state = Mutex(State())
    /// This semaphore is signalled whenever the helper thread makes progress or ends, because the decode's thread may
    /// be waiting for that.
    let progress = DispatchSemaphore(value: 0)
    /// The helper thread waits on this semaphore while the memory for its runs of minimum coded units is full. The
    /// decode's thread signals it after taking a run from the full memory, and when it wants no more units.
    let room = DispatchSemaphore(value: 0)
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
            progress.signal()
            return
        }
        do throws(RenderError) {
            try read(until: isWantedElsewhere)
        } catch {
            state.withLock { $0.failure = error }
        }
        state.withLock { $0.hasEnded = true }
        progress.signal()
    }

    private func read(until isWantedElsewhere: () -> Bool) throws(RenderError) {
        let input = JPEGInput(source)
        input.position = offset
        let scan = SingleScanReader(
            input, components: components, restartInterval: restartInterval, splitting: .even, keepsTrails: keepsTrails)
        self.scan = scan
        guard let starts = try scan.guessUnits() else { return }
        state.withLock { $0.unitStarts = starts }
        progress.signal()
        while scan.damage == nil, hasRoom(until: isWantedElsewhere) {
            var batch: [Kept] = []
            var byteCount = 0
            // If reading fails, the minimum coded units that were already read are still handed over, because the
            // decode may need no more than these.
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
        progress.signal()
    }

    private func mustStop(_ isWantedElsewhere: () -> Bool) -> Bool {
        isWantedElsewhere() || state.withLock { $0.isUnwanted }
    }

    /// Pauses the helper thread until the runs that the decode's thread has not taken yet take less memory than
    /// `keptByteLimit`. Returns false if the helper thread must stop.
    ///
    /// - Parameter isWantedElsewhere: returns whether the helper thread is needed for other work and must stop.
    private func hasRoom(until isWantedElsewhere: () -> Bool) -> Bool {
        while !mustStop(isWantedElsewhere) {
            if state.withLock({ $0.keptByteCount < Self.keptByteLimit }) { return true }
            // The wait has a timeout, because no signal is sent when the thread is needed for other work.
            _ = room.wait(timeout: .now() + .milliseconds(1))
        }
        return false
    }
}
