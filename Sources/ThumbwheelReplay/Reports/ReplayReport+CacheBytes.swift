extension ReplayReport {
    /// The plot of the cache's size over time against its budget.
    var cacheBytes: Markup {
        let budgets = Set(runs.map(\.budget)).sorted()
        let peak = timelines.flatMap(\.columns).map(\.cachedByteCount).max() ?? 0
        // There is room above the highest line, so that it can be seen as a line.
        let top = max(1, Int(Double(max(peak, budgets.last ?? 0)) * 1.08))
        let plot = Plot(
            kind: "chart short", label: "Bytes in the cache over time, against the budget",
            columnCount: columnCount, horizontalTicks: timeTicks, verticalTicks: PlotTick.bytes(upTo: top),
            drawing: Markup(
                budgets.map { budgetLine(at: Double($0) / Double(top)) }
                    + timelines.enumerated().reversed().map { index, timeline -> Markup in
                        let heights = timeline.columns.map { Double($0.cachedByteCount) / Double(top) }
                        return "<path class=\"curve \(color(ofRun: index))\" d=\"\(PlotPath.line(heights))\"/>"
                    }))
        let written = budgets.map(FigureFormat.bytes).joined(separator: ", ")
        return """
            <section>
            <h2>The cache against its budget</h2>
            <figure>
            \(legend(adding: "<li><i class=\"line budget\"></i>budget \(written)</li>"))
            \(plot.markup)
            <figcaption>Bytes held by the cache at the end of each frame; where a column stands for several frames, the most \
            of them.</figcaption>
            </figure>
            </section>
            """
    }

    private func budgetLine(at height: Double) -> Markup {
        "<path class=\"budget\" d=\"\(PlotPath.line(Array(repeating: height, count: columnCount + 1)))\"/>"
    }
}
