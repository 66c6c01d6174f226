/// The decisions of a watched folder as a value: events and times go in, and what to import comes out.
///
/// A file waits until its writer has closed it or has been quiet for some seconds. Then it waits for others, so that a burst
/// becomes a few transactions. Lost events, folders that cannot be watched and failed imports are answered by scans.
struct FollowPlan {
    /// What is to be imported at once.
    enum Work: Equatable {
        /// The whole folder.
        case scan
        /// These paths; the value tells whether a folder may have been there.
        case changes([FilePath: Bool])
    }

    private let configuration: FollowOptions.Pace
    /// The paths that are to be imported.
    private var ready: [FilePath: Bool] = [:]
    /// When the first and the last of the paths became ready.
    private var readySince: Duration?
    private var lastReady = Duration.zero
    /// The files whose writers may not have finished, with the times of their last changes.
    private var growing: [FilePath: Duration] = [:]
    /// When the whole folder is to be scanned; nil if nothing asks for a scan.
    private(set) var scanTime: Duration?

    init(_ configuration: FollowOptions.Pace) {
        self.configuration = configuration
    }

    mutating func apply(_ event: FolderEvent, at time: Duration) {
        switch event {
        case .written(let path):
            growing[path] = nil
            makeReady(path, mayBeFolder: false, at: time)
        case .growing(let path):
            growing[path] = time
            // A file that was complete and changes again waits again.
            ready[path] = nil
        case .removed(let path, let wasFolder):
            growing[path] = nil
            if wasFolder { growing = growing.filter { !$0.key.isBelow(path) } }
            makeReady(path, mayBeFolder: wasFolder, at: time)
        case .touched(let path):
            // Some writers set the date before they close a file.
            if growing[path] == nil { makeReady(path, mayBeFolder: false, at: time) } else { growing[path] = time }
        case .folder(let path, _): makeReady(path, mayBeFolder: true, at: time)
        case .vanished, .overflow: scan(at: time)
        }
    }

    /// The files whose writers may not have finished; imports leave them out.
    var unfinished: Set<FilePath> { Set(growing.keys) }

    /// Takes a file into account that was found in a new folder. It waits like one that grows, unless it was closed meanwhile.
    mutating func find(_ path: FilePath, at time: Duration) {
        if growing[path] == nil, ready[path] == nil { growing[path] = time }
    }

    private mutating func makeReady(_ path: FilePath, mayBeFolder: Bool, at time: Duration) {
        ready[path] = mayBeFolder || ready[path] == true
        readySince = readySince ?? time
        lastReady = time
    }

    /// Asks for a scan at a time, or before it if one is due earlier.
    mutating func scan(at time: Duration) { scanTime = min(scanTime ?? time, time) }

    /// The time at which there will be work if nothing happens; nil if there is nothing to wait for.
    var deadline: Duration? {
        var times = growing.values.map { $0 + configuration.quietTime }
        if let scanTime { times.append(scanTime) }
        if let readyTime { times.append(readyTime) }
        return times.min()
    }

    private var readyTime: Duration? {
        guard let readySince, !ready.isEmpty else { return nil }
        if ready.count >= configuration.batchSize { return readySince }
        return min(lastReady + configuration.gatheringTime, readySince + configuration.longestGatheringTime)
    }

    /// Takes the work that is due.
    mutating func work(at time: Duration) -> Work? {
        for (path, change) in growing where change + configuration.quietTime <= time {
            growing[path] = nil
            makeReady(path, mayBeFolder: false, at: time - configuration.gatheringTime)
        }
        if let scanTime, scanTime <= time {
            self.scanTime = nil
            takeReady(ready.count)
            return .scan
        }
        guard let readyTime, readyTime <= time else { return nil }
        return .changes(takeReady(configuration.batchSize))
    }

    /// Takes paths, those of folders and the first names first, and leaves the others ready.
    @discardableResult
    private mutating func takeReady(_ count: Int) -> [FilePath: Bool] {
        var taken = ready
        if ready.count > count {
            let first = ready.sorted { $0.value != $1.value ? $0.value : $0.key.precedes($1.key) }.prefix(count)
            taken = Dictionary(uniqueKeysWithValues: first.map { ($0.key, $0.value) })
        }
        for path in taken.keys { ready[path] = nil }
        if ready.isEmpty { readySince = nil }
        return taken
    }
}
