extension ReplayReport {
    private struct Curves {
        let first: LatencyCurve
        let final: LatencyCurve
        /// Whether both curves are the same, because under high-quality delivery the first image is the final one.
        let areEqual: Bool

        init(of run: ReplayRun) {
            let cellCount = run.firstMilliseconds.count + run.neverFilled
            first = LatencyCurve(latencies: run.firstMilliseconds, cellCount: cellCount)
            final = LatencyCurve(latencies: run.finalMilliseconds, cellCount: cellCount)
            areEqual = run.firstMilliseconds == run.finalMilliseconds
        }
    }

    /// The plot of how long cells waited for their first and their final image, for all strategies.
    var latencyCurves: Markup {
        let curves = runs.map(Curves.init)
        let scale = LatencyScale(
            framesPerSecond: framesPerSecond, longest: curves.map { max($0.first.maximum, $0.final.maximum) }.max() ?? 0
        )
        let shares = [0, 0.25, 0.5, 0.75, 0.95, 1]
        let plot = Plot(
            kind: "chart", label: "Share of cells by how long they waited for their first and their final image",
            columnCount: RunTimeline.columnLimit,
            horizontalTicks: scale.ticks,
            verticalTicks: shares.map { PlotTick(position: $0, label: FigureFormat.short($0 * 100) + "\u{202F}%") },
            // The report is about the first strategy, so its lines are drawn last, over all others.
            drawing: Markup(curves.enumerated().reversed().map { lines(of: $1, color: color(ofRun: $0), on: scale) }))
        let equal: Markup =
            !curves.isEmpty && curves.allSatisfy(\.areEqual)
            ? " In these runs every first image was the final one, so that the two lines are one." : ""
        return """
            <section>
            <h2>How long cells waited</h2>
            <figure>
            \(legend(adding: "<li><i class=\"line\"></i>first image</li><li><i class=\"line dashed\"></i>final image</li>"))
            \(plot.markup)
            <figcaption>The share of visible cells that had their image within so long of coming into view. Cells that left \
            without one count as well, so that a line need not reach 100\u{202F}%; where it starts above 0, the image was \
            there already. The time axis is logarithmic beyond a frame.\(equal)</figcaption>
            </figure>
            </section>
            """
    }

    private func lines(of curves: Curves, color: Markup, on scale: LatencyScale) -> Markup {
        guard !curves.first.isEmpty else { return "" }
        let first = line(of: curves.first, on: scale)
        guard !curves.areEqual else { return "<path class=\"curve \(color)\" d=\"\(first)\"/>" }
        return """
            <path class="curve dashed \(color)" d="\(line(of: curves.final, on: scale))"/>
            <path class="curve \(color)" d="\(first)"/>
            """
    }

    private func line(of curve: LatencyCurve, on scale: LatencyScale) -> String {
        let last = RunTimeline.columnLimit
        return PlotPath.line(
            (0...last).map { column in
                // The last column takes the maximum itself: the way through the logarithm and back may end just before the
                // largest latency.
                column == last
                    ? curve.share(atMost: scale.maximum)
                    : curve.share(atMost: scale.milliseconds(at: Double(column) / Double(last)))
            })
    }
}
