extension ReplayReport {
    /// The head of the report: a sentence about the replay, and the main figures of each strategy.
    var summary: Markup {
        """
        <header>
        <h1>Scroll replay</h1>
        <p class="lead">\(sentence)\(runs.isEmpty ? " No strategy was played." : "")</p>
        <div class="headlines">
        \(Markup(runs.enumerated().map { index, run in headline(of: run, color: color(ofRun: index)) }))
        </div>
        </header>
        """
    }

    private var sentence: Markup {
        let workload = document.settings.workload
        let engine = document.settings.engine
        let photographs = workload.photographs
        let grids: Markup =
            workload.viewers > 1 ? "\(FigureFormat.count(workload.viewers)) viewers\u{2019} grids" : "a grid"
        return """
            \(FigureFormat.count(workload.assets)) assets made of \(FigureFormat.count(photographs.count)) photographs \
            (\(FigureFormat.bytes(photographs.bytes))), scrolled for \(FigureFormat.seconds(workload.seconds)) at \
            \(FigureFormat.short(workload.fps)) frames a second: scenario <b>\(workload.scenario)</b>, \
            seed \(String(workload.seed)), \(grids) of \(workload.grid) cells of \(workload.cell) pixels, \
            \(workload.delivery) delivery, \(workload.clock) clock, \(FigureFormat.count(engine.workers, "worker")), \
            \(FigureFormat.bytes(engine.budgetBytes)) of memory.
            """
    }

    private func headline(of run: ReplayRun, color: Markup) -> Markup {
        // If a run never got warm, its figure is not a dash: all frames of the run count.
        let isWarm = run.warm.cellFrames > 0
        let counts = isWarm ? run.warm : run.counts
        let first = Percentiles(of: run.firstMilliseconds)
        let firstP95 =
            run.firstMilliseconds.isEmpty ? FigureFormat.none : FigureFormat.latency(milliseconds: first.p95)
        let blank = FigureFormat.share(counts.blank, of: counts.cellFrames)
        return """
            <section class="headline \(color)">
            <h2>\(run.strategy.rawValue)</h2>
            <dl>
            <div><dt>blank, \(isWarm ? "warm" : "never warm")</dt><dd>\(blank)</dd></div>
            <div><dt>first image, p95</dt><dd>\(firstP95)</dd></div>
            </dl>
            <p>\(detail(of: run, counts: counts, isWarm: isWarm))</p>
            </section>
            """
    }

    private func detail(of run: ReplayRun, counts: CellCounts, isWarm: Bool) -> Markup {
        guard !run.frames.isEmpty else { return "Nothing was played." }
        let unfilled: Markup =
            run.neverFilled > 0 ? "; \(FigureFormat.count(run.neverFilled)) cells came and left without an image" : ""
        let screen: Markup = isWarm ? "" : " No screen was full before the end: these are all frames of the run."
        return """
            \(FigureFormat.count(counts.blank)) of \(FigureFormat.count(counts.cellFrames)) \(isWarm ? "warm " : "")\
            cell-frames were blank\(unfilled).\(screen)
            """
    }
}
