import Dispatch
import ThumbwheelCore

/// The rest of a large scan from a place in the middle, read by an idle thread while another reads what comes before.
///
/// It begins like any of the parts of `SequentialScan`: with the guess that a unit begins there, and what it finds counts only
/// once the reader in front has come to where one of its units begins. Its runs are kept until they are taken; where there are
/// too many it waits. Where its thread is wanted elsewhere its scan goes over to the reader in front, who goes on with it.
final class ScanAhead: @unchecked Sendable {
    /// A run that whoever takes it has to itself.
    private struct Kept: @unchecked Sendable {
        let run: BlockRun
    }

    /// What the thread in front takes over, and what it wants to know before.
    private struct State {
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

    private let source: any ByteSource
    private let components: [ScanLayout.Component]
    private let restartInterval: Int
    /// Of the file: neither it nor the byte before may be 0xFF.
    let offset: Int

    private let state = Mutex(State())
    /// A signal for each change of the state.
    private let news = DispatchSemaphore(value: 0)
    /// A signal for each run that is taken.
    private let departure = DispatchSemaphore(value: 0)
    // The assistant's until `hasEnded`, which it sets under the lock; then that of the thread in front.
    private var scan: SequentialScan?

    init(_ source: any ByteSource, components: [ScanLayout.Component], restartInterval: Int, at offset: Int) {
        self.source = source
        self.components = components
        self.restartInterval = restartInterval
        self.offset = offset
    }

    // MARK: The assistant

    func run(isWantedElsewhere: () -> Bool) {
        let begins = state.withLock { state in
            state.hasBegun = !state.isUnwanted
            return state.hasBegun
        }
        guard begins else { return }
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
        let scan = SequentialScan(
            input, components: components, restartInterval: restartInterval, splitting: .even)
        self.scan = scan
        guard let starts = try scan.guessUnits() else { return }
        state.withLock { $0.unitStarts = starts }
        news.signal()
        while scan.damage == nil, hasRoom(until: isWantedElsewhere) {
            var runs: [Kept] = []
            while runs.count < Self.batchCount, scan.damage == nil, !isWantedElsewhere() {
                runs.append(Kept(run: BlockRun(try scan.next(.max, keepsCoefficients: true))))
            }
            let byteCount = runs.reduce(0) { $0 + $1.run.byteCount }
            state.withLock { [runs] state in
                state.runs += runs
                state.keptByteCount += byteCount
            }
            news.signal()
        }
    }

    /// Waits until another run may be kept.
    ///
    /// - Returns: false where none is wanted, or the thread is.
    private func hasRoom(until isWantedElsewhere: () -> Bool) -> Bool {
        while !isWantedElsewhere() {
            let (isUnwanted, isFull) = state.withLock { ($0.isUnwanted, $0.keptByteCount >= Self.keptByteCount) }
            if isUnwanted { return false }
            if !isFull { return true }
            // Nobody tells it that the thread is wanted.
            _ = departure.wait(timeout: .now() + .milliseconds(1))
        }
        return false
    }

    // MARK: The thread in front

    /// Where its first units begin, in bits from its offset, as soon as that is known.
    ///
    /// - Returns: nil where no thread has found the time for it, or nothing that looks like units.
    func unitStarts() -> [Int]? {
        while true {
            let (starts, isOver) = state.withLock { state in
                if !state.hasBegun { state.isUnwanted = true }
                return (state.unitStarts, state.isUnwanted || state.hasEnded)
            }
            if starts != nil || isOver { return starts }
            news.wait()
        }
    }

    /// The units that follow the last ones: a run like those of `SequentialScan.next`.
    ///
    /// - Parameter skipping: for the first run, how many of its units do not count: they were read before they were in step.
    func next(
        _ wanted: Int, keepsCoefficients: Bool, skipping skippedCount: Int?
    ) throws(RenderError) -> BlockRun {
        while true {
            let (kept, wasFull, hasEnded, failure) = state.withLock { state in
                let wasFull = state.keptByteCount >= Self.keptByteCount
                let kept = state.runs.isEmpty ? nil : state.runs.removeFirst()
                state.keptByteCount -= kept?.run.byteCount ?? 0
                return (kept, wasFull, state.hasEnded, state.failure)
            }
            if kept != nil, wasFull { departure.signal() }
            if kept == nil, !hasEnded {
                news.wait()
                continue
            }
            if kept == nil, let failure { throw failure }
            let run =
                if let kept { kept.run } else {
                    // What was read of the first run stays.
                    try scan!.next(wanted, keepsCoefficients: keepsCoefficients || skippedCount != nil)
                }
            if let skippedCount { run.start = skippedCount }
            return run
        }
    }

    /// Of the data behind the last run that was handed out.
    var damage: ScanFront.Damage? {
        state.withLock { $0.runs.isEmpty && $0.hasEnded } ? scan?.damage : nil
    }

    /// Returns when nobody reads the source any more.
    func end() {
        while true {
            let isOver = state.withLock { state in
                state.isUnwanted = true
                return !state.hasBegun || state.hasEnded
            }
            departure.signal()
            if isOver { return }
            news.wait()
        }
    }
}
