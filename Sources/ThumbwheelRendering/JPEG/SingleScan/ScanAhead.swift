import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// The rest of a large scan from a place in the middle, read by an idle thread while another reads what comes before.
///
/// It begins like any of the parts of `SingleScanReader`: with the guess that a unit begins there, and what it finds counts only
/// once the reader in front has come to where one of its units begins. Its runs are kept until they are taken; where there are
/// too many it waits. Where its thread is wanted elsewhere its scan goes over to the reader in front, who goes on with it.
///
/// Unchecked, because of `scan`, which is no state that threads share: it is the assistant's until that sets `hasEnded` under
/// the lock, and then the other's.
final class ScanAhead: @unchecked Sendable {
    /// A run that whoever takes it has to itself.
    struct Kept: @unchecked Sendable {
        let run: InterleavedBlocks
    }

    /// What the thread in front takes over, and what it wants to know before.
    struct State {
        var hasBegun = false
        /// The scan belongs to the thread in front from then on.
        var hasEnded = false
        var isUnwanted = false
        var unitStarts: [Int]?
        var runs: [Kept] = []
        var keptByteCount = 0
        var failure: RenderError?
    }

    /// Bytes of runs that are kept at once; it waits with more.
    static let keptByteCount = 4 << 20
    /// Runs that are handed over at once: to wake a thread takes as long as to read one.
    private static let batchCount = 16
    private static let batchByteCount = 256 << 10

    private let source: any ByteSource
    private let components: [ScanLayout.Component]
    private let restartInterval: Int
    private let keepsTrails: Bool
    /// Of the file: neither it nor the byte before may be 0xFF.
    let offset: Int

    let state = Mutex(State())
    /// A signal for each change of the state.
    let news = DispatchSemaphore(value: 0)
    /// A signal for each run that is taken.
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
            // What was read before a failure may be all that is needed.
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

    /// Waits until more runs may be kept; false where it must stop.
    private func hasRoom(until isWantedElsewhere: () -> Bool) -> Bool {
        while !mustStop(isWantedElsewhere) {
            if state.withLock({ $0.keptByteCount < Self.keptByteCount }) { return true }
            // Nobody tells it that the thread is wanted.
            _ = departure.wait(timeout: .now() + .milliseconds(1))
        }
        return false
    }
}
