extension ReplayReport {
    /// The film strips, one for each strategy: the states of the visible cells from the first frame to the last.
    var filmStrips: Markup {
        let strips = runs.indices.map { strip(ofRun: $0, isLast: $0 == runs.count - 1) }
        let framesPerColumn = Double(frameCount) / Double(max(1, columnCount))
        return """
            <section>
            <h2>What the cells showed</h2>
            <figure>
            <ul class="legend">
            <li><i class="final"></i>final</li>
            <li><i class="degraded"></i>degraded</li>
            <li><i class="placeholder"></i>placeholder</li>
            <li><i class="blank"></i>blank</li>
            <li><i class="warm"></i>warm part</li>
            </ul>
            \(Markup(strips))
            <figcaption>The visible cells of every frame by what they showed; a column stands for \
            \(framesPerColumn == 1 ? "one frame" : "\(FigureFormat.short(framesPerColumn)) frames"). The ticks above \
            a strip mark each column in which any cell was blank, even if only one was. The line below it is the warm \
            part: all after the first full screen.\(restartNote)</figcaption>
            </figure>
            </section>
            """
    }

    private var restartNote: Markup {
        runs.contains { $0.restart != nil }
            ? " The dashed line is the restart: all processes end there, with what they had in memory." : ""
    }

    private func strip(ofRun index: Int, isLast: Bool) -> Markup {
        let run = runs[index]
        let timeline = timelines[index]
        let warm = run.warm
        let blank = FigureFormat.share(warm.blank, of: warm.cellFrames)
        let note: Markup =
            warm.frames > 0
            ? "warm from \(FigureFormat.seconds(warmSeconds(of: run))), then \(blank) blank" : "never warm"
        let plot = Plot(
            kind: isLast ? "strip" : "strip inner",
            label: "\(run.strategy.rawValue): what the visible cells showed over time",
            columnCount: columnCount, horizontalTicks: timeTicks,
            verticalTicks: [PlotTick(position: 0, label: "0"), PlotTick(position: 1, label: "100\u{202F}%")],
            drawing: stack(of: timeline), overlay: "\(warmMark(of: run))\(restartMark(of: run))")
        return """
            <h3><i class="line \(color(ofRun: index))"></i>\(run.strategy.rawValue) <small>\(note)</small></h3>
            \(plot.markup)
            """
    }

    /// Draws the states as areas that all begin at the ground, the taller ones first, so that no seam shows where two states
    /// meet.
    private func stack(of timeline: RunTimeline) -> Markup {
        """
        <path class="blank" d="\(PlotPath.columns(timeline.shares(\.cellFrames)))"/>
        <path class="placeholder" d="\(PlotPath.columns(timeline.shares { $0.cellFrames - $0.blank }))"/>
        <path class="degraded" d="\(PlotPath.columns(timeline.shares { $0.final + $0.degraded }))"/>
        <path class="final" d="\(PlotPath.columns(timeline.shares(\.final)))"/>
        <path class="blank" d="\(holes(in: timeline))"/>
        """
    }

    /// Returns the ticks above the strip, one for each column in which a cell was blank.
    private func holes(in timeline: RunTimeline) -> String {
        var data = ""
        for (index, column) in timeline.columns.enumerated() where column.counts.blank > 0 {
            data += "M\(index)-90h1v50h-1z"
        }
        return data
    }

    private func restartMark(of run: ReplayRun) -> Markup {
        guard let restart = run.restart, frameCount > 0 else { return "" }
        return "<i class=\"restart\" style=\"left:\(Plot.percent(Double(restart.frame) / Double(frameCount)))\"></i>"
    }

    private func warmSeconds(of run: ReplayRun) -> Double { Double(run.warmStart ?? 0) / framesPerSecond }

    private func warmMark(of run: ReplayRun) -> Markup {
        guard let start = run.warmStart, start < run.frames.count else { return "" }
        let left = Double(start) / Double(frameCount)
        let width = Double(run.frames.count - start) / Double(frameCount)
        return "<i class=\"warm\" style=\"left:\(Plot.percent(left));width:\(Plot.percent(width))\"></i>"
    }
}
