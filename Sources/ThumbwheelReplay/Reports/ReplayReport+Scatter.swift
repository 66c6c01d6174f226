extension ReplayReport {
    /// The plot of each strategy's cost and benefit: render time whose pixels nobody saw against cells that stayed blank.
    var costsAndBenefits: Markup {
        let points = runs.map { run -> (cost: Double, blank: Double) in
            let counts = run.warm.cellFrames > 0 ? run.warm : run.counts
            return (run.work.wastedMilliseconds / 1000, Double(counts.blank))
        }
        guard points.count > 1 else { return "" }
        let widest = PlotTick.roundedUp(points.map(\.cost).max() ?? 0)
        let highest = PlotTick.roundedUp(points.map(\.blank).max() ?? 0)
        let dots = zip(runs.indices, points).map { index, point -> Markup in
            let (left, bottom) = (point.cost / widest, point.blank / highest)
            // A strategy's name stands on the side of its dot where there is room for it.
            let side: Markup = left > 0.6 ? " before" : ""
            return """
                <i class="dot \(color(ofRun: index))\(side)" style="left:\(Plot.percent(left));bottom:\(Plot.percent(bottom))">\
                <span>\(runs[index].strategy.rawValue)</span></i>
                """
        }
        let plot = Plot(
            kind: "chart scatter", label: "Wasted render time against blank cell-frames, a point for each strategy",
            columnCount: 1,
            horizontalTicks: Self.ticks(upTo: widest) { FigureFormat.seconds($0) },
            verticalTicks: Self.ticks(upTo: highest) { FigureFormat.count(Int($0.rounded())) }, drawing: "",
            overlay: Markup(dots))
        return """
            <section>
            <h2>What it costs, and what it brings</h2>
            <figure>
            \(plot.markup)
            <figcaption>To the right, render time whose pixels were never on screen; upwards, blank cell-frames of the warm \
            part. The nearer to the corner, the better.</figcaption>
            </figure>
            </section>
            """
    }

    private static func ticks(upTo top: Double, label: (Double) -> String) -> [PlotTick] {
        (0...4).map {
            PlotTick(position: Double($0) / 4, label: label(top * Double($0) / 4), isMajor: $0.isMultiple(of: 2))
        }
    }
}
