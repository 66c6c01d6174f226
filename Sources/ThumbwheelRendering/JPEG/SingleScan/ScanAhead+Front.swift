import Dispatch
import ThumbwheelLocks

/// The operations of the thread in front, which reads the first part of the scan.
extension ScanAhead {
    /// Waits for the starts of this part's first units, in bits from the part's offset.
    ///
    /// - Returns: nil if no thread has begun to read the part, or if its data hold nothing like units.
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

    /// Takes the units that follow the last ones taken, as a run like those of `SingleScanReader.next`.
    ///
    /// - Parameter skipping: for the first run, the number of its units that do not count because the reader had not fallen
    ///   into step yet; nil for later runs.
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
                    // The first run keeps the coefficients that were read before, so it goes on being read with
                    // coefficients.
                    try scan!.next(wanted, keepsCoefficients: keepsCoefficients || skippedCount != nil)
                }
            if let skippedCount { run.start = skippedCount }
            return run
        }
    }

    /// The damage in the data behind the last run that was taken; nil if there is none or runs are left.
    var damage: ScanFront.Damage? {
        state.withLock { $0.runs.isEmpty && $0.hasEnded } ? scan?.damage : nil
    }

    /// Stops the reading, and returns when no thread reads the source any more.
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
