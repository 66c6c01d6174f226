import Dispatch
import ThumbwheelLocks

/// What the thread in front asks of the part ahead.
extension ScanAhead {
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

    /// The units that follow the last ones: a run like those of `SingleScanReader.next`.
    ///
    /// - Parameter skipping: for the first run, how many of its units do not count: they were read before they were in step.
    func next(
        _ wanted: Int, keepsCoefficients: Bool, skipping skippedCount: Int?
    ) throws(RenderError) -> InterleavedBlocks {
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
