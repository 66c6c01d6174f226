extension ReplayReport {
    /// The facts that somebody needs to get the same figures again.
    var provenance: Markup {
        let workload = document.settings.workload
        let engine = document.settings.engine
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
                    + (workload.encoding.map { ", files of \($0)" } ?? "")
                    + (workload.seen.map { ", \(FigureFormat.count($0)) assets seen before" } ?? "")
                    + (workload.restartAt.map { ", restart at \(FigureFormat.seconds($0))" } ?? "")
            ),
            (
                "Engine",
                "\(engine.tool) \(engine.version), \(FigureFormat.count(engine.workers, "worker")), budget "
                    + "\(FigureFormat.bytes(engine.budgetBytes)), strategies \(engine.strategies.joined(separator: ", "))"
                    + (engine.storeBytes.map { ", a store of \(FigureFormat.bytes($0)) on disk" } ?? "")
                    + (engine.servers.map { ", \(FigureFormat.count($0, "server")) with a shared store" } ?? "")
            ),
        ]
        return .provenance(command: command, entries: entries + document.host.entries)
    }
}
