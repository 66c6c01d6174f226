import Thumbwheel

extension ReplayReport {
    /// The plots of how blank cells, hits and memory depend on the setting that was varied; empty if none was.
    var sweepCurves: Markup {
        guard let sweep = document.sweep, sweep.points.count > 1 else { return "" }
        let blanks = SweepCurves(sweep, \.blankShare)
        let hits = SweepCurves(sweep, \.hitShare)
        let optimum = SweepCurves(sweep, \.optimumHitShare)
        let peak = SweepCurves(sweep) { Double($0.peakBytes) }
        return """
            <section>
            <h2>How it scales with \(sweep.key.title)</h2>
            <figure>
            \(legend())
            <h3>blank cell-frames</h3>
            \(plot(of: blanks, label: "Share of blank cell-frames", ticks: shareTicks(upTo: blanks.top)))
            </figure>
            <figure>
            \(legend(adding: "<li><i class=\"line\"></i>hits</li><li><i class=\"line dashed\"></i>B\u{E9}l\u{E1}dy\u{2019}s optimum</li>"))
            <h3>look-ups that the cache answered</h3>
            \(plot(of: hits, dashed: optimum, label: "Share of hits", ticks: shareTicks(upTo: 1), top: 1))
            </figure>
            <figure>
            \(legend())
            <h3>bytes in the cache, peak</h3>
            \(plot(of: peak, label: "Peak of the cache", ticks: PlotTick.bytes(upTo: Int(peak.top))))
            <figcaption>The same replay at each value, all frames counted; every step doubles the value. The optimum is that \
            of a cache of the same size without prefetching.</figcaption>
            </figure>
            </section>
            """
    }

    private func plot(
        of curves: SweepCurves, dashed: SweepCurves? = nil, label: String, ticks: [PlotTick], top: Double? = nil
    ) -> Markup {
        let top = top ?? curves.top
        func lines(_ curves: SweepCurves, _ style: Markup) -> [Markup] {
            curves.lines.enumerated().reversed().map { index, values in
                let heights = values.map { top > 0 ? $0 / top : 0 }
                return "<path class=\"curve \(style)\(color(ofRun: index))\" d=\"\(PlotPath.line(heights))\"/>"
            }
        }
        return Plot(
            kind: "chart short", label: "\(label) over \(curves.key.title)", columnCount: curves.values.count - 1,
            horizontalTicks: curves.ticks, verticalTicks: ticks,
            drawing: Markup((dashed.map { lines($0, "dashed ") } ?? []) + lines(curves, ""))
        ).markup
    }

    private func shareTicks(upTo top: Double) -> [PlotTick] {
        (0...4).map { quarter in
            let share = Double(quarter) / 4
            return PlotTick(position: share, label: FigureFormat.short(share * top * 100) + "\u{202F}%")
        }
    }
}

/// The values of one figure in a sweep, with a line for each strategy.
private struct SweepCurves {
    let key: ReplaySweep.Key
    let values: [Int]
    let lines: [[Double]]

    init(_ sweep: ReplaySweep, _ figure: (ReplaySweep.Point.Summary) -> Double) {
        key = sweep.key
        values = sweep.points.map(\.value)
        let points = sweep.points.map { $0.summaries.map(figure) }
        lines = (points.first ?? []).indices.map { run in points.map { $0[run] } }
    }

    /// The value at the upper edge of the plot, which is above the highest line and above 0.
    var top: Double {
        let highest = lines.joined().max() ?? 0
        return highest > 0 ? PlotTick.roundedUp(highest) : 1
    }

    /// The ticks of the axis, one for each value, at even distances.
    var ticks: [PlotTick] {
        values.enumerated().map { index, value in
            PlotTick(
                position: Double(index) / Double(max(1, values.count - 1)),
                label: key == .budget ? FigureFormat.bytes(value) : FigureFormat.count(value),
                isMajor: index.isMultiple(of: (values.count + 3) / 4))
        }
    }
}

extension ReplaySweep.Key {
    fileprivate var title: String {
        switch self {
        case .budget: "the budget"
        case .workers: "workers"
        case .viewers: "viewers"
        }
    }
}
