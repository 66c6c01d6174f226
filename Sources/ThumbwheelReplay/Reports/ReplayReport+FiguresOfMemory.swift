import Thumbwheel

extension ReplayReport {
    func addCache(to table: inout FigureTable) {
        table.group("Cache")
        table.row("look-ups of visible cells") { FigureTable.Cell($0.statistics.cache.lookups) }
        table.row("hits") { FigureTable.Cell($0.statistics.cache.hits, of: $0.statistics.cache.lookups) }
        table.row("misses") { run in
            let cache = run.statistics.cache
            return FigureTable.Cell(cache.lookups - cache.hits, of: cache.lookups)
        }
        table.row("misses, Belady\u{2019}s optimum") {
            FigureTable.Cell($0.optimumMisses, of: $0.statistics.cache.lookups)
        }
        table.row("insertions") { FigureTable.Cell($0.statistics.cache.insertions) }
        table.row("evictions") { FigureTable.Cell($0.statistics.cache.evictions) }
        table.row("peak") { run in
            let peak = run.statistics.cache.peakByteCount
            return FigureTable.Cell(
                FigureFormat.bytes(peak), share: FigureFormat.share(peak, of: run.budget), isAlarming: peak > run.budget
            )
        }
        table.row("budget") { FigureTable.Cell(FigureFormat.bytes($0.budget)) }
    }

    func addMachine(to table: inout FigureTable) {
        table.group("Machine")
        table.row("wall seconds") { FigureTable.Cell(FigureFormat.decimal($0.wallSeconds, places: 2)) }
        table.row("CPU seconds") { FigureTable.Cell(FigureFormat.decimal($0.measured.cpuSeconds, places: 2)) }
        table.row("resident before the run") { bytes($0.measured.idleResidentByteCount) }
        table.row("resident, peak") { bytes($0.measured.peakResidentByteCount) }
        table.row("of the library, peak") { $0.measured.peakLibraryByteCount.map(bytes) ?? .none }
        table.row("allocated, peak") { $0.measured.peakAllocatedByteCount.map(bytes) ?? .none }
        table.row("held by the allocator beyond that, peak") {
            $0.measured.peakAllocatorOverheadByteCount.map(bytes) ?? .none
        }
        table.distribution("Scrolling thread in the library, µs a frame", \.measured.callerMicroseconds)
    }

    private func bytes(_ count: Int) -> FigureTable.Cell { FigureTable.Cell(FigureFormat.bytes(count)) }
}
