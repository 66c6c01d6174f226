import Thumbwheel

extension ReplayReport {
    /// For each strategy, the second with the most blank cell-frames, and the images that would have been seen in it.
    var worstSeconds: Markup {
        guard runs.contains(where: { $0.worstSecond != nil }) else { return "" }
        return """
            <section>
            <h2>The worst second</h2>
            \(Markup(runs.enumerated().compactMap { index, run in run.worstSecond.map { part(of: run, index, $0) } }))
            <p class="note">The second of the warm part in which most cell-frames were blank, and the assets whose cells were \
            blank in it, those first that were so for most frames.</p>
            </section>
            """
    }

    private func part(of run: ReplayRun, _ index: Int, _ worst: ReplayRun.WorstSecond) -> Markup {
        let begin = FigureFormat.seconds(Double(worst.frames.lowerBound) / framesPerSecond)
        let shown = run.frames[worst.frames].reduce(0) { $0 + $1.counts.cellFrames }
        return """
            <h3 class="flush"><i class="line \(color(ofRun: index))"></i>\(run.strategy.rawValue) \
            <small>from \(begin) on, \(FigureFormat.count(worst.blankCellFrames)) cell-frames blank, \
            \(FigureFormat.share(worst.blankCellFrames, of: shown))</small></h3>
            <ul class="sheet">
            \(Markup(worst.cells.map(tile)))
            </ul>
            """
    }

    private func tile(of cell: ReplayRun.WorstSecond.Cell) -> Markup {
        let picture = thumbnails[cell.asset].map { ContactSheet.picture($0, named: "asset \(cell.asset)") } ?? "<b></b>"
        return """
            <li>\(picture)<small>asset \(FigureFormat.count(cell.asset))<br>\(FigureFormat.count(cell.blankFrames)) frames\
            </small></li>
            """
    }
}
