import Thumbwheel

extension ReplayReport {
    /// The table of the figures of the `replay` document, with the runs side by side.
    var figures: Markup {
        var table = FigureTable(runs: runs)
        addCells(to: &table)
        table.distribution("First image, ms", \.firstMilliseconds)
        table.distribution("First image of files with a preview, ms", \.firstMillisecondsWithPreview)
        table.distribution("Final image, ms", \.finalMilliseconds)
        addRequests(to: &table)
        addRenders(to: &table)
        addCache(to: &table)
        addTiers(to: &table)
        addMachine(to: &table)
        return """
            <section>
            <h2>Figures</h2>
            \(table.markup(color: color))
            <p class="note">Latencies are of the cells that got their image: those never filled have none. A render is wasted \
            if its pixels were on screen in no frame; work that was stopped is wasted too. Resident bytes are of the whole \
            process, which played the strategies one after another.</p>
            </section>
            """
    }

    private func addCells(to table: inout FigureTable) {
        table.group("All frames")
        addCounts(to: &table, \.counts)
        table.row("blank, lower bound for any strategy") { FigureTable.Cell($0.blankBound, of: $0.counts.cellFrames) }
        table.row("cells never filled") { run in
            FigureTable.Cell(run.neverFilled, of: run.firstMilliseconds.count + run.neverFilled)
        }
        table.row("mismatched deliveries") { FigureTable.Cell($0.mismatched, isAlarming: $0.mismatched > 0) }
        table.group("Warm: after the first full screen")
        addCounts(to: &table, \.warm)
    }

    private func addCounts(to table: inout FigureTable, _ counts: (ReplayRun) -> CellCounts) {
        table.row("frames") { FigureTable.Cell(counts($0).frames) }
        table.row("cell-frames") { FigureTable.Cell(counts($0).cellFrames) }
        let states: [(String, KeyPath<CellCounts, Int>)] = [
            ("blank", \.blank), ("placeholder", \.placeholder), ("degraded", \.degraded), ("final", \.final),
        ]
        for (name, state) in states {
            table.row(name) { run in
                let counts = counts(run)
                return FigureTable.Cell(counts[keyPath: state], of: counts.cellFrames)
            }
        }
    }

    private func addRequests(to table: inout FigureTable) {
        table.group("Requests")
        table.row("submitted") { FigureTable.Cell($0.statistics.requests.submitted) }
        table.row("coalesced") { FigureTable.Cell($0.statistics.requests.coalesced) }
        table.row("delivered") { FigureTable.Cell($0.statistics.requests.delivered) }
        table.row("cancelled") { FigureTable.Cell($0.statistics.requests.cancelled) }
        table.row("failed") { run in
            FigureTable.Cell(run.statistics.requests.failed, isAlarming: run.statistics.requests.failed > 0)
        }
        table.row("shed") { FigureTable.Cell($0.statistics.requests.shed) }
    }

    private func addRenders(to table: inout FigureTable) {
        table.group("Renders")
        table.row("started") { FigureTable.Cell($0.statistics.renders.started) }
        table.row("finished") { FigureTable.Cell($0.statistics.renders.finished) }
        table.row("failed") { FigureTable.Cell($0.statistics.renders.failed) }
        table.row("stopped") { FigureTable.Cell($0.statistics.renders.stopped) }
        table.row("preempted") { FigureTable.Cell($0.statistics.renders.preempted) }
        table.row("wasted: never on screen") { FigureTable.Cell($0.work.wasted, of: $0.statistics.renders.started) }
        table.row("time, ms") { FigureTable.Cell(FigureFormat.decimal($0.work.totalMilliseconds, places: 0)) }
        table.row("wasted time, ms") { run in
            FigureTable.Cell(
                FigureFormat.decimal(run.work.wastedMilliseconds, places: 0),
                share: FigureFormat.share(run.work.wastedMilliseconds, of: run.work.totalMilliseconds))
        }
    }
}
