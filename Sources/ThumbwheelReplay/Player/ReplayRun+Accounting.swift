import Thumbwheel

extension ReplayRun {
    /// Works out, once a run is over, what its frames alone do not tell.
    ///
    /// - Parameters:
    ///   - records: every run of a render.
    ///   - lookups: the items that became visible, in order.
    ///   - visiblePerFrame: the items visible in each frame.
    mutating func account(
        for records: [RenderRecord], board: GridBoard, lookups: [Int], visiblePerFrame: [Range<Int>],
        settings: ReplaySettings, contents: GridContents
    ) {
        let outcome = board.finish()
        firstMilliseconds = outcome.latencies.first
        firstMillisecondsWithPreview = outcome.latencies.firstWithPreview
        finalMilliseconds = outcome.latencies.final
        neverFilled = outcome.latencies.neverFilled
        mismatched = outcome.mismatched
        for record in records {
            let milliseconds = record.finish.milliseconds(since: record.start)
            work.totalMilliseconds += milliseconds
            guard !outcome.shownRenders.contains(record.renderNumber) else { continue }
            work.wasted += 1
            work.wastedMilliseconds += milliseconds
        }
        // All renditions of a run are of one size: the target's, three bytes a pixel.
        optimumMisses = BeladyOptimum.misses(
            of: lookups, capacity: budget / max(1, settings.targetSize.pixelCount * 3))
        blankBound = bound(
            records: records, visiblePerFrame: visiblePerFrame, workerCount: settings.workerCount, contents: contents)
    }

    /// The bound for this run's own costs: for each asset the least that any render of it took, for those never rendered
    /// the least of all.
    private func bound(
        records: [RenderRecord], visiblePerFrame: [Range<Int>], workerCount: Int, contents: GridContents
    ) -> Int {
        var leastCosts: [AssetIdentifier: Double] = [:]
        for record in records where record.end == .finished {
            let milliseconds = record.finish.milliseconds(since: record.start)
            leastCosts[record.key.subject.asset] = min(leastCosts[record.key.subject.asset] ?? .infinity, milliseconds)
        }
        let leastOfAll = leastCosts.values.min() ?? 0
        var bound = BlankBound(workerCount: workerCount)
        for (number, items) in visiblePerFrame.enumerated() {
            bound.addFrame(
                at: Double(number) * 1000 / framesPerSecond,
                cellCosts: items.lazy.map { leastCosts[contents.identifier($0)] ?? leastOfAll })
        }
        return bound.blankCellFrames
    }
}
