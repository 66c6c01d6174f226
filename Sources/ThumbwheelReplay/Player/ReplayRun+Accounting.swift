import Thumbwheel

extension ReplayRun {
    /// Computes the figures of a finished run that do not follow from its frames alone.
    ///
    /// - Parameters:
    ///   - records: the records of all renders.
    ///   - screens: the outcome of each viewer's screen.
    ///   - frameTimes: milliseconds from the start to each frame.
    mutating func account(
        for records: [RenderRecord], screens: [GridBoard.Outcome], frameTimes: [Double], settings: ReplaySettings,
        catalog: AssetCatalog
    ) {
        var shownRenders: Set<UInt64> = []
        for screen in screens {
            firstMilliseconds += screen.latencies.first
            firstMillisecondsWithPreview += screen.latencies.firstWithPreview
            finalMilliseconds += screen.latencies.final
            neverFilled += screen.latencies.neverFilled
            mismatched += screen.mismatched
            origins += screen.origins
            shownRenders.formUnion(screen.shownRenders)
        }
        for record in records {
            let milliseconds = record.finish.milliseconds(since: record.start)
            work.totalMilliseconds += milliseconds
            guard !shownRenders.contains(record.renderNumber) else { continue }
            work.wasted += 1
            work.wastedMilliseconds += milliseconds
        }
        let appearances = Self.inOrder(screens.map { Array($0.appearances) })
        worstSecond = worstSecond(appearances)
        // All renditions of a run have the target's size, with three bytes per pixel.
        optimumMisses = BeladyOptimum.misses(
            of: appearances.map(\.asset), capacity: budget / max(1, settings.targetSize.pixelCount * 3))
        // A placeholder that is made in the run takes a render, as the bound assumes; an imported placeholder takes none, and
        // neither does an image that a store has.
        let hasAllPlaceholders = settings.showsPlaceholders && settings.placeholders == .imported
        blankBound =
            hasAllPlaceholders || !settings.tiers.isEmpty
            ? 0
            : BlankBound(
                renders: Self.renders(for: appearances, records: records, catalog: catalog), frameTimes: frameTimes,
                workerCount: settings.workerCount
            ).blankCellFrames
    }

    /// Returns the appearances of all screens, ordered by the frame in which they begin. They are the look-ups of an ideal
    /// cache.
    private static func inOrder(_ screens: [[GridBoard.Appearance]]) -> [GridBoard.Appearance] {
        guard screens.count != 1 else { return screens[0] }
        let numbered = screens.enumerated().flatMap { screen, appearances in
            appearances.enumerated().map { (screen: screen, index: $0, appearance: $1) }
        }
        return numbered.sorted { one, other in
            (one.appearance.frames.lowerBound, one.screen, one.index)
                < (other.appearance.frames.lowerBound, other.screen, other.index)
        }.map(\.appearance)
    }

    /// Returns the renders from which the bound is computed. If costs are not known in advance, an asset costs the least time
    /// that any of its renders took, and an asset that was never rendered the least time of all.
    private static func renders(
        for appearances: [GridBoard.Appearance], records: [RenderRecord], catalog: AssetCatalog
    ) -> [BlankBound.Render] {
        var leastCosts: [AssetIdentifier: Double] = [:]
        if catalog.leastMilliseconds == nil {
            for record in records where record.end == .finished {
                let asset = record.asset
                let milliseconds = record.finish.milliseconds(since: record.start)
                leastCosts[asset] = min(leastCosts[asset] ?? .infinity, milliseconds)
            }
        }
        let leastOfAll = leastCosts.values.min() ?? 0
        var indices: [AssetState: Int] = [:]
        var renders: [BlankBound.Render] = []
        for appearance in appearances where !appearance.frames.isEmpty {
            if let index = indices[appearance.asset] {
                renders[index].appearances.append(appearance.frames)
                continue
            }
            let number = appearance.asset.number
            let cost = catalog.leastMilliseconds?(number) ?? leastCosts[catalog.identifier(number)] ?? leastOfAll
            indices[appearance.asset] = renders.count
            renders.append(BlankBound.Render(milliseconds: cost, appearances: [appearance.frames]))
        }
        return renders
    }
}
