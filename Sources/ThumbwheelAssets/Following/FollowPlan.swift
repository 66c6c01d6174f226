/// Decides, from the events of a followed folder and their times, when to import which files. It is a value without a
/// clock of its own.
///
/// A file waits until its writer has closed it, or has not changed it for a few seconds. The file then waits for other
/// files, so that many changes become a few transactions. The whole folder is scanned if events were lost, if an import
/// failed, and from time to time if some folder cannot be watched.
struct FollowPlan {
    /// The files that have to be imported now.
    enum Work: Equatable {
        /// All files in the folder.
        case scan
        /// The files at these paths. The Bool is true for the path of a folder, and for a removed path that may have
        /// been that of a folder.
        case changes([FilePath: Bool])
    }

    private let configuration: FollowOptions.Pace
    /// The paths that have to be imported. The Bool is true for the path of a folder, and for a removed path that may
    /// have been that of a folder.
    private var ready: [FilePath: Bool] = [:]
    /// The time since which `ready` contains paths.
    private var readySince = Duration.zero
    /// The time at which a path was last added to `ready`.
    private var lastReady = Duration.zero
    /// The files whose writers may not have finished, with the times of their last changes.
    private var growing: [FilePath: Duration] = [:]
    /// The time at which the whole folder has to be scanned; nil if no scan is planned.
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
            // A file that was complete and has changed again has to wait again.
            ready[path] = nil
        case .removed(let path, let wasFolder):
            growing[path] = nil
            if wasFolder { growing = growing.filter { !$0.key.isBelow(path) } }
            makeReady(path, mayBeFolder: wasFolder, at: time)
        case .touched(let path):
            // The date or another attribute of the file has changed. If the file is still being written, it stays
            // unfinished, because some programs set the date of a file before they close it.
            if growing[path] == nil { makeReady(path, mayBeFolder: false, at: time) } else { growing[path] = time }
        case .folder(let path, _): makeReady(path, mayBeFolder: true, at: time)
        case .vanished, .overflow: scan(at: time)
        }
    }

    /// The files whose writers may not have finished. Imports leave them out.
    var unfinished: Set<FilePath> { Set(growing.keys) }

    /// Adds a file that was found in a new folder. The file may still be written, so it is imported only when it has
    /// not changed for some time. If an event has already reported that the file is complete, nothing is changed.
    mutating func addFound(_ path: FilePath, at time: Duration) {
        if growing[path] == nil, ready[path] == nil { growing[path] = time }
    }

    private mutating func makeReady(_ path: FilePath, mayBeFolder: Bool, at time: Duration) {
        if ready.isEmpty { readySince = time }
        ready[path] = mayBeFolder || ready[path] == true
        lastReady = time
    }

    /// Plans a scan for a time. Of several planned scans, only the earliest takes place.
    mutating func scan(at time: Duration) { scanTime = min(scanTime ?? time, time) }

    /// The time at which some work will be due if no event arrives; nil if nothing is waiting.
    var deadline: Duration? {
        var times = growing.values.map { $0 + configuration.quietTime }
        if let scanTime { times.append(scanTime) }
        if let readyTime { times.append(readyTime) }
        return times.min()
    }

    private var readyTime: Duration? {
        guard !ready.isEmpty else { return nil }
        if ready.count >= configuration.batchSize { return readySince }
        return min(lastReady + configuration.gatheringTime, readySince + configuration.longestGatheringTime)
    }

    /// Takes the work that is due at `time` out of the plan, and returns it; nil if none is due.
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

    /// Removes up to `count` paths from `ready` and returns them. If `ready` has more paths, they are taken in this
    /// order:
    ///
    /// 1. paths whose Bool is true (folders, and removed paths that may have been folders), sorted by name
    /// 2. all other paths, sorted by name
    @discardableResult
    private mutating func takeReady(_ count: Int) -> [FilePath: Bool] {
        var taken = ready
        if ready.count > count {
            let first = ready.sorted { $0.value != $1.value ? $0.value : $0.key.precedes($1.key) }.prefix(count)
            taken = Dictionary(uniqueKeysWithValues: first.map { ($0.key, $0.value) })
        }
        for path in taken.keys { ready[path] = nil }
        return taken
    }
}
