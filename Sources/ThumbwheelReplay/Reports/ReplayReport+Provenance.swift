import Thumbwheel

extension ReplayReport {
    /// What somebody needs who wants the same figures again.
    var provenance: Markup {
        let workload = document.settings.workload
        let engine = document.settings.engine
        let host = document.host
        let libraries = host.libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let entries: [(String, String)] = [
            (
                "Photographs",
                "\(FigureFormat.count(workload.photographs.count)), \(FigureFormat.bytes(workload.photographs.bytes)), "
                    + "content \(workload.photographs.contentHash)"
            ),
            (
                "Workload",
                "\(FigureFormat.count(workload.assets)) assets, \(workload.scenario), seed \(workload.seed), "
                    + "\(FigureFormat.seconds(workload.seconds)) at \(FigureFormat.short(workload.fps)) fps, "
                    + "grid \(workload.grid), cell \(workload.cell), \(workload.delivery) delivery, "
                    + "\(workload.clock) clock, \(workload.previews ? "with" : "without") embedded previews"
                    + (workload.viewers > 1 ? ", \(FigureFormat.count(workload.viewers)) viewers" : "")
                    + (workload.providerLatency.map { ", files that come after \($0)" } ?? "")
            ),
            (
                "Engine",
                "\(engine.tool) \(engine.version), \(FigureFormat.count(engine.workers)) workers, budget "
                    + "\(FigureFormat.bytes(engine.budgetBytes)), strategies \(engine.strategies.joined(separator: ", "))"
            ),
            ("Processor", "\(host.processor), \(FigureFormat.count(host.cores)) cores"),
            ("System", host.system),
            ("Allocator", host.allocator),
            ("Libraries", libraries.isEmpty ? FigureFormat.none : libraries.joined(separator: ", ")),
        ]
        return """
            <section>
            <h2>To get it again</h2>
            <pre class="scroller" tabindex="0"><code>\(command)</code></pre>
            <dl class="provenance">
            \(Markup(entries.map { "<dt>\($0)</dt><dd>\($1)</dd>" }))
            </dl>
            </section>
            """
    }
}
