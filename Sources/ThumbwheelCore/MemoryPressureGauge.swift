/// Measures how short of memory the process is, by Linux's figures for its control groups (versions 1 and 2) and for
/// the time that tasks stall for lack of memory (PSI).
///
/// The gauge reads counters that grow with every shortage, so it misses no shortage between two readings. A level that
/// has been reached lasts for ten seconds, because caches that were filled again at once would cause the same shortage
/// again. Files are read under `root`, which tests replace; missing files mean no pressure.
package struct MemoryPressureGauge: Sendable {
    private static let holdMilliseconds = 10_000.0

    private let groups: [MemoryGroup]
    private let stalls: StallFile?
    private var lastHits: [Int]
    private var lastStall: (stall: StallFile.Reading, time: MonotonicTime)?
    private var level = MemoryPressure.none
    private var end = MonotonicTime.zero

    /// Makes a gauge that measures from now on.
    ///
    /// - Parameter root: The folder that is read in place of `/`.
    package init(root: String = "/") {
        let files = ControlGroupFiles(root: root)
        groups = MemoryGroup.all(in: files)
        stalls = StallFile(files: files)
        lastHits = groups.map { $0.limitHits ?? 0 }
    }

    /// Returns the pressure since the last reading, or a higher one from the last ten seconds.
    package mutating func read(at now: MonotonicTime) -> MemoryPressure {
        let found = max(readGroups(), readStalls(at: now))
        if found >= level || now >= end {
            level = found
            end = now.advanced(byMilliseconds: Self.holdMilliseconds)
        }
        return level
    }

    private mutating func readGroups() -> MemoryPressure {
        var highest = MemoryPressure.none
        for (index, group) in groups.enumerated() {
            guard let fill = group.fill else { continue }
            let hits = group.limitHits ?? 0
            defer { lastHits[index] = hits }
            let level = Self.pressure(ofFill: fill)
            // A full group does not mean pressure by itself, because in time the page cache fills any group to its
            // limit.
            highest = max(highest, hits > lastHits[index] && fill >= 0.75 ? level.raised : level)
        }
        return highest
    }

    private mutating func readStalls(at now: MonotonicTime) -> MemoryPressure {
        guard let stall = stalls?.reading else { return .none }
        defer { lastStall = (stall, now) }
        guard let lastStall, now > lastStall.time else { return .none }
        let microseconds = now.milliseconds(since: lastStall.time) * 1000
        return Self.pressure(
            ofSomeStalled: Double(stall.some - lastStall.stall.some) / microseconds,
            allStalled: Double(stall.full - lastStall.stall.full) / microseconds)
    }

    /// - Parameter fill: the share of the smallest limit that is in use and that the system cannot drop.
    private static func pressure(ofFill fill: Double) -> MemoryPressure {
        switch fill {
        case ..<0.85: .none
        case ..<0.9: .mild
        case ..<0.95: .moderate
        case ..<0.98: .severe
        default: .critical
        }
    }

    /// - Parameters:
    ///   - some: the share of time in which at least one task waited for memory.
    ///   - all: the share of time in which all tasks waited for memory.
    private static func pressure(ofSomeStalled some: Double, allStalled all: Double) -> MemoryPressure {
        if all >= 0.2 { return .critical }
        if all >= 0.05 { return .severe }
        if some >= 0.1 { return .moderate }
        return some >= 0.01 ? .mild : .none
    }
}
