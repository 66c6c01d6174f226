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
    /// The order in which paths are taken out of `ready`, the last one first. It is empty unless a batch could not take
    /// all paths. It may contain paths that are no longer in `ready`, and it lacks those that were added later: they
    /// are sorted when all others have been taken. So no path is sorted again for each batch.
    private var order: [FilePath] = []
    /// The time since which `ready` contains paths.
    private var readySince = Duration.zero
    /// The time at which a path was last added to `ready`.
    private var lastReady = Duration.zero
    /// The files whose writers may not have finished, with the times of their last changes.
    private var growing: [FilePath: Duration] = [:]
    /// The paths in `growing`, by their folders.
    private var growingPaths = PathTree()
    /// The time at which the whole folder has to be scanned; nil if no scan is planned.
    private(set) var scanTime: Duration?

    /// Compares two paths in the order of their bytes. Tests count its calls.
    private let precedes: (FilePath, FilePath) -> Bool

    init(
        _ configuration: FollowOptions.Pace, precedes: @escaping (FilePath, FilePath) -> Bool = { $0.precedes($1) }
    ) {
        (self.configuration, self.precedes) = (configuration, precedes)
    }

    mutating func apply(_ event: FolderEvent, at time: Duration) {
        switch event {
        case .written(let path):
            stopGrowing(path)
            makeReady(path, mayBeFolder: false, at: time)
        case .growing(let path):
            grow(path, at: time)
            // A file that was complete and has changed again has to wait again.
            ready[path] = nil
        case .removed(let path, let wasFolder):
            if wasFolder {
                for path in growingPaths.removeAll(atOrBelow: path) { growing[path] = nil }
            } else {
                stopGrowing(path)
            }
            makeReady(path, mayBeFolder: wasFolder, at: time)
        case .touched(let path):
            // The date or another attribute of the file has changed. If the file is still being written, it stays
            // unfinished, because some programs set the date of a file before they close it.
            if growing[path] == nil { makeReady(path, mayBeFolder: false, at: time) } else { grow(path, at: time) }
        case .folder(let path, _): makeReady(path, mayBeFolder: true, at: time)
        case .vanished, .overflow: scan(at: time)
        }
    }

    /// The files whose writers may not have finished. Imports leave them out.
    var unfinished: Set<FilePath> { Set(growing.keys) }

    /// Adds a file that was found in a new folder. The file may still be written, so it is imported only when it has
    /// not changed for some time. If an event has already reported that the file is complete, nothing is changed.
    mutating func addFound(_ path: FilePath, at time: Duration) {
        if growing[path] == nil, ready[path] == nil { grow(path, at: time) }
    }

    private mutating func grow(_ path: FilePath, at time: Duration) {
        if growing.updateValue(time, forKey: path) == nil { growingPaths.insert(path) }
    }

    private mutating func stopGrowing(_ path: FilePath) {
        if growing.removeValue(forKey: path) != nil { growingPaths.remove(path) }
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
            stopGrowing(path)
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
    /// 3. paths that were added while these were being taken, in the same order
    @discardableResult
    private mutating func takeReady(_ count: Int) -> [FilePath: Bool] {
        guard ready.count > count else {
            defer { (ready, order) = ([:], []) }
            return ready
        }
        var taken: [FilePath: Bool] = [:]
        while taken.count < count {
            if order.isEmpty {
                order = ready.sorted { $0.value != $1.value ? $1.value : precedes($1.key, $0.key) }.map(\.key)
            }
            guard let path = order.popLast() else { break }
            if let mayBeFolder = ready.removeValue(forKey: path) { taken[path] = mayBeFolder }
        }
        return taken
    }
}
