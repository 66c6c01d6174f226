import Dispatch
import ThumbwheelLocks

/// The operations that the decode's own thread calls. This thread reads the first part of the scan, while the helper
/// thread reads the later part.
extension ScanAhead {
    /// Waits until the helper thread has found the starts of the first minimum coded units in its part, and returns
    /// these starts. A start is a number of bits from the beginning of the part, without byte stuffing. If the helper
    /// thread has not begun to read by now, its work is cancelled.
    ///
    /// - Returns: nil if the helper thread has not begun to read the part, or has ended without finding units in it.
    func unitStarts() -> [Int]? {
        while true {
            let (starts, isOver) = state.withLock { state in
                if !state.hasBegun { state.isUnwanted = true }
                return (state.unitStarts, state.isUnwanted || state.hasEnded)
            }
            if starts != nil || isOver { return starts }
            progress.wait()
        }
    }

    /// Returns the minimum coded units that follow those of the previous call, as `SingleScanReader.next` does. The
    /// helper thread has read them, and hands them over in runs of several units. Once it has ended and all its runs
    /// have been returned, this function reads the units itself.
    ///
    /// - Parameter skipping: the number of units to ignore at the start of the first run; nil for the later runs. The
    ///   helper thread begins at a guessed position, so its first units may be invalid.
    func next(
        _ wanted: Int, keepsCoefficients: Bool, skipping skippedCount: Int?
    ) throws(RenderError) -> InterleavedBlocks {
        while true {
            let (kept, wasFull, hasEnded, failure) = state.withLock { state in
                let wasFull = state.keptByteCount >= Self.keptByteLimit
                let kept = state.runs.isEmpty ? nil : state.runs.removeFirst()
                state.keptByteCount -= kept?.run.byteCount ?? 0
                return (kept, wasFull, state.hasEnded, state.failure)
            }
            if kept != nil, wasFull { room.signal() }
            if kept == nil, !hasEnded {
                progress.wait()
                continue
            }
            if kept == nil, let failure { throw failure }
            let run =
                if let kept { kept.run } else {
                    // The helper thread has ended, so this thread reads on with the helper's `SingleScanReader`,
                    // `scan`. If `skippedCount` is not nil, no units have been taken from `scan` yet. It then still
                    // holds the units that `guessUnits` has read to find the start of a unit. A request for DC
                    // coefficients alone would discard these units, so all coefficients are requested.
                    try scan!.next(wanted, keepsCoefficients: keepsCoefficients || skippedCount != nil)
                }
            if let skippedCount { run.start = skippedCount }
            return run
        }
    }

    /// The damage at which the helper thread's reading of its part of the scan ended; nil if there is none. It is also
    /// nil until the helper thread has ended and all its runs have been taken.
    var damage: ScanPart.Damage? {
        state.withLock { $0.runs.isEmpty && $0.hasEnded } ? scan?.damage : nil
    }

    /// Tells the helper thread to stop, and waits until it no longer reads the source.
    func end() {
        while true {
            let isOver = state.withLock { state in
                state.isUnwanted = true
                return !state.hasBegun || state.hasEnded
            }
            room.signal()
            if isOver { return }
            progress.wait()
        }
    }
}
