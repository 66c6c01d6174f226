import ThumbwheelLocks

/// All lanes of a store.
struct StoreLanes: Sendable {
    private let lanes = (0..<8).map { _ in StoreLane() }

    // MARK: Look-ups

    /// Runs `body` with a lane that no other thread uses, or else waits for one.
    func withLane<Result>(_ body: (StoreLane, inout StoreLane.State) -> Result) -> Result {
        let first = StoreLane.first(of: lanes.count)
        for offset in lanes.indices {
            let lane = lanes[(first + offset) % lanes.count]
            if let result = lane.state.withLockIfAvailable({ body(lane, &$0) }) { return result }
        }
        let lane = lanes[first]
        return lane.state.withLock { body(lane, &$0) }
    }

    /// Counts a look-up that was not made.
    func noteMiss() { lanes[0].notes.withLock { $0.counts.misses += 1 } }

    /// Ends the read transactions of all lanes. Waits for the look-ups that are under way.
    func endReading() {
        for lane in lanes { lane.state.withLock { $0.endReading() } }
    }

    /// Ends the read transactions of the lanes in which no look-up is under way.
    ///
    /// - Returns: whether these are all.
    func endIdleReading() -> Bool {
        var isComplete = true
        for lane in lanes where lane.state.withLockIfAvailable({ $0.endReading() }) == nil { isComplete = false }
        return isComplete
    }

    /// Closes the connections of the lanes. A look-up that waits for the disk keeps its connection; it ends with the store.
    func close() {
        for lane in lanes { _ = lane.state.withLockIfAvailable { $0.reader = nil } }
    }

    // MARK: What look-ups have found

    /// Moves to `batch` the rows of values that were read for the first time, and the entries of damaged ones.
    func takeUses(into batch: inout StoreBatch) {
        for lane in lanes {
            let (used, damaged) = lane.notes.withLock { notes in
                defer { (notes.used, notes.damaged) = (UsedRows(), []) }
                return (notes.used, notes.damaged)
            }
            // Look-ups do not wait while thousands of rows are put together.
            batch.used.add(used)
            batch.damaged += damaged
        }
    }

    /// Moves to `batch` what has been read of each segment.
    func takeReads(into batch: inout StoreBatch) {
        for lane in lanes {
            lane.notes.withLock { notes in
                for (number, reads) in notes.reads { batch.reads[number, default: SegmentReads()].add(reads) }
                (notes.reads, notes.readByteCount) = ([:], 0)
            }
        }
    }

    /// Whether so many bytes have been read in one lane since `takeReads`.
    func haveRead(_ byteCount: Int) -> Bool {
        lanes.contains { lane in lane.notes.withLock { $0.readByteCount >= byteCount } }
    }

    /// Adds the counts of all look-ups.
    func add(to statistics: inout StoreStatistics) {
        for lane in lanes {
            let counts = lane.notes.withLock { $0.counts }
            statistics.hits += counts.hits
            statistics.misses += counts.misses
            statistics.damaged += counts.damaged
            statistics.hitByteCount += counts.hitByteCount
            statistics.savedMilliseconds += Double(counts.savedMicroseconds) / 1_000
        }
    }
}
