import ThumbwheelPipeline
import ThumbwheelReplay

extension [ReplayRun] {
    /// The figures that people look at first, a column for each strategy.
    var table: String {
        var table = TextTable(header: [""] + map(\.strategy.rawValue))
        func row(_ name: String, _ figure: (ReplayRun) -> String) {
            table.add([name] + map(figure))
        }
        row("frames") { "\($0.counts.frames)" }
        row("cell-frames, warm") { "\($0.warm.cellFrames)" }
        row("  blank") { Self.share($0.warm.blank, of: $0.warm) }
        if contains(where: { $0.counts.placeholder > 0 }) {
            row("  placeholder") { Self.share($0.warm.placeholder, of: $0.warm) }
        }
        row("  degraded") { Self.share($0.warm.degraded, of: $0.warm) }
        row("  final") { Self.share($0.warm.final, of: $0.warm) }
        row("cells never filled") { "\($0.neverFilled)" }
        row("first image ms, p50") { Percentiles(of: $0.firstMilliseconds).p50.text(1) }
        row("first image ms, p99") { Percentiles(of: $0.firstMilliseconds).p99.text(1) }
        row("final image ms, p50") { Percentiles(of: $0.finalMilliseconds).p50.text(1) }
        row("final image ms, p99") { Percentiles(of: $0.finalMilliseconds).p99.text(1) }
        row("renders") { "\($0.statistics.renders.started)" }
        row("  wasted time") { run in
            let share = run.work.totalMilliseconds > 0 ? run.work.wastedMilliseconds / run.work.totalMilliseconds : 0
            return (share * 100).text(1) + " %"
        }
        row("cache hits") { "\($0.statistics.cache.hits) of \($0.statistics.cache.lookups)" }
        addTiers(to: &table)
        row("cache peak MiB") { run in
            (Double(run.statistics.cache.peakByteCount) / 1_048_576).text(1) + " of "
                + (Double(run.budget) / 1_048_576).text(0)
        }
        row("caller µs a frame, p99") { Percentiles(of: $0.measured.callerMicroseconds).p99.text(0) }
        row("CPU seconds") { $0.measured.cpuSeconds.text(2) }
        return table.text
    }

    /// Adds where images came from, if any run has storage tiers.
    private func addTiers(to table: inout TextTable) {
        guard contains(where: { $0.tiers != nil }) else { return }
        func row(_ name: String, _ figure: (ReplayRun) -> String) { table.add([name] + map(figure)) }
        row("images shown: rendered") { "\($0.origins.rendered)" }
        row("  from the store on disk") { "\($0.origins.stored)" }
        row("  from the shared store") { "\($0.origins.shared)" }
        if contains(where: { $0.tiers?.store != nil }) {
            row("store hits") { "\($0.tiers?.store?.hits ?? 0) of \($0.tiers?.store?.lookups ?? 0)" }
        }
        if contains(where: { $0.tiers?.shared != nil }) {
            row("shared store hits") { "\($0.tiers?.shared?.hits ?? 0) of \($0.tiers?.shared?.lookups ?? 0)" }
            row("  awaited, of claims") { "\($0.tiers?.awaited ?? 0) of \($0.tiers?.claims ?? 0)" }
        }
        guard contains(where: { $0.restart != nil }) else { return }
        row("frames to fill the screen after the restart") { run in
            run.restart?.warmStart.map { "\($0 - (run.restart?.frame ?? 0))" } ?? "never"
        }
        row("  blank since then") { Self.share($0.warmSinceRestart.blank, of: $0.warmSinceRestart) }
        row("  renders since the restart") { "\($0.renderCountSinceRestart ?? 0)" }
    }

    private static func share(_ count: Int, of counts: CellCounts) -> String {
        guard counts.cellFrames > 0 else { return "\(count)" }
        return "\(count) (\((Double(count) / Double(counts.cellFrames) * 100).text(2)) %)"
    }
}

extension ReplaySweep {
    /// A row for each value and strategy.
    var table: String {
        var table = TextTable(header: [key.rawValue, "strategy", "blank", "hits", "cache peak MiB"])
        for point in points {
            for summary in point.summaries {
                table.add([
                    key == .budget ? "\((Double(point.value) / 1_048_576).text(0)) MiB" : "\(point.value)",
                    summary.strategy, "\((summary.blankShare * 100).text(2)) %",
                    "\((summary.hitShare * 100).text(2)) %",
                    (Double(summary.peakBytes) / 1_048_576).text(1),
                ])
            }
        }
        return table.text
    }
}
