import Thumbwheel

extension ReplayReport {
    /// A bar for each strategy: the places from which the final images of its cells came. Nothing if no run has storage tiers.
    var imageOrigins: Markup {
        guard runs.contains(where: { $0.tiers != nil }) else { return "" }
        return """
            <section>
            <h2>Where the images came from</h2>
            <figure>
            <ul class="legend">
            <li><i class="rendered"></i>rendered</li>
            <li><i class="stored"></i>store on disk</li>
            <li><i class="shared"></i>shared store</li>
            </ul>
            \(Markup(runs.indices.map { originBar(ofRun: $0) }))
            <figcaption>The cells that got their final image, by what had made its pixels ready: a render of the process that \
            delivered it, the store on its disk, or the store that servers share. An image that was in memory counts by where \
            it had come from before.</figcaption>
            </figure>
            </section>
            """
    }

    private func originBar(ofRun index: Int) -> Markup {
        let (run, origins) = (runs[index], runs[index].origins)
        let parts: [(Markup, Int)] = [
            ("rendered", origins.rendered), ("stored", origins.stored), ("shared", origins.shared),
        ]
        let bars = parts.filter { $0.1 > 0 }.map { name, count -> Markup in
            "<i class=\"\(name)\" style=\"width:\(Plot.percent(Double(count) / Double(origins.count)))\"></i>"
        }
        return """
            <h3 class="flush"><i class="line \(color(ofRun: index))"></i>\(run.strategy.rawValue) \
            <small>\(originNote(of: run))</small></h3>
            <div class="origins">\(Markup(bars))</div>
            """
    }

    private func originNote(of run: ReplayRun) -> Markup {
        let origins = run.origins
        let inMemory = FigureFormat.share(origins.inMemory, of: origins.count)
        guard let restart = run.restart else {
            return "\(FigureFormat.count(origins.count)) cells, \(inMemory) of them from memory"
        }
        let filled: Markup =
            restart.warmStart.map { "full again after \(FigureFormat.count($0 - restart.frame, "frame"))" }
            ?? "no full screen after it"
        return """
            \(FigureFormat.count(origins.count)) cells, \(inMemory) of them from memory; after the restart at \
            \(FigureFormat.seconds(Double(restart.frame) / framesPerSecond)): \(filled), \
            \(FigureFormat.count(run.renderCountSinceRestart ?? 0, "render"))
            """
    }

    /// Adds the rows of the storage tiers, if any run has such.
    func addTiers(to table: inout FigureTable) {
        guard runs.contains(where: { $0.tiers != nil }) else { return }
        table.group("Final images of cells, by where they came from")
        let places: [(String, KeyPath<ImageOrigins, Int>)] = [
            ("rendered", \.rendered), ("store on disk", \.stored), ("shared store", \.shared),
            ("in memory when asked for", \.inMemory),
        ]
        for (name, place) in places {
            table.row(name) { FigureTable.Cell($0.origins[keyPath: place], of: $0.origins.count) }
        }
        add(\.store, named: "Store on disk", to: &table)
        add(\.shared, named: "Shared store", to: &table)
        if runs.contains(where: { $0.tiers?.shared != nil }) {
            table.row("claims") { FigureTable.Cell($0.tiers?.claims ?? 0) }
            table.row("awaited from another server") { FigureTable.Cell($0.tiers?.awaited ?? 0) }
        }
        guard runs.contains(where: { $0.restart != nil }) else { return }
        table.group("Since the restart")
        table.row("renders started") { FigureTable.Cell($0.renderCountSinceRestart ?? 0) }
        table.row("blank") { FigureTable.Cell($0.sinceRestart.blank, of: $0.sinceRestart.cellFrames) }
        table.row("blank, after the first full screen") { run in
            FigureTable.Cell(run.warmSinceRestart.blank, of: run.warmSinceRestart.cellFrames)
        }
    }

    private func add(
        _ tier: (ReplayTierCounts) -> ReplayTierCounts.Tier?, named name: String, to table: inout FigureTable
    ) {
        func figure(_ run: ReplayRun, _ value: (ReplayTierCounts.Tier) -> FigureTable.Cell) -> FigureTable.Cell {
            run.tiers.flatMap { tier($0) }.map { value($0) } ?? .none
        }
        let tiers = runs.compactMap { $0.tiers.flatMap { tier($0) } }
        guard !tiers.isEmpty else { return }
        table.group(name)
        table.row("look-ups") { figure($0) { FigureTable.Cell($0.lookups) } }
        table.row("misses") { figure($0) { FigureTable.Cell($0.misses, of: $0.lookups) } }
        if tiers.contains(where: { $0.leastRecentlyUsedHits != nil }) {
            table.row("misses of a least recently used store") { run in
                figure(run) { tier in
                    tier.leastRecentlyUsedHits.map { FigureTable.Cell(tier.lookups - $0, of: tier.lookups) } ?? .none
                }
            }
        }
        table.row("written") { figure($0) { FigureTable.Cell($0.writes) } }
        table.row("evicted") { figure($0) { FigureTable.Cell($0.evictions) } }
        table.row("MiB at the end") { run in
            figure(run) { FigureTable.Cell(FigureFormat.decimal(Double($0.byteCount) / 1_048_576)) }
        }
    }
}
