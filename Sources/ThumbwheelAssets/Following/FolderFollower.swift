import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// Keeps the library up to date with a folder, on one thread: reads the kernel's events, decides with a `FollowPlan`
/// when to import which files, and imports them.
final class FolderFollower: Sendable {
    let library: PhotoLibrary
    let folder: FilePath
    let kernel: any FolderKernel
    private let options: FollowOptions
    let calls: ObserverCalls<FollowEvent>
    let token = CancellationToken()

    /// The state that the thread in `run` keeps from one step to the next.
    struct Run {
        var plan: FollowPlan
        /// The files that the library knows; nil before the first import.
        var known: KnownFiles?
        /// The identity that the folder had at its last import; nil before its first scan.
        var identity: FileStatus.Identity?
        /// Whether it has been reported to the host program that the folder is missing. It is reported only once.
        var isGone = false
        /// The folders that cannot be watched, as already reported to the host.
        var unwatchable = PathTree()
        /// The symbolic links to folders that the last scan has found.
        var folderLinks = PathTree()
        /// The volumes that are mounted inside the folder, or were when it was last scanned.
        var volumes = InnerVolumes()
        /// The time at which the follower next looks whether another folder is at the folder's path, and whether the
        /// volumes inside it are mounted. The kernel does not report this if a folder above it has been renamed, or if
        /// a volume has been mounted.
        var lookTime: Duration
    }

    init(
        _ library: PhotoLibrary, _ folder: FilePath, _ kernel: any FolderKernel, _ options: FollowOptions,
        _ handler: @escaping @Sendable (FollowEvent) -> Void
    ) {
        (self.library, self.folder, self.kernel, self.options) = (library, folder, kernel, options)
        calls = ObserverCalls(handler)
    }

    func stop() {
        token.cancel()
        calls.stop(waits: false)
        kernel.wake()
    }

    /// Follows the folder until `stop` is called. The calling thread waits for events and reads files.
    func run() {
        var run = begin()
        while !token.isCancelled { step(&run) }
        kernel.unwatch(folder)
    }

    /// Returns the state before the first scan.
    func begin() -> Run {
        var run = Run(plan: FollowPlan(options.pace), lookTime: kernel.now + options.pace.scanInterval)
        run.plan.scan(at: kernel.now)
        return run
    }

    /// Waits for events until some work is due, and does that work.
    func step(_ run: inout Run) {
        let deadline = min(run.plan.deadline ?? run.lookTime, run.lookTime)
        if deadline > kernel.now {
            for event in kernel.events(until: deadline) { take(event, &run) }
        }
        if kernel.now >= run.lookTime { look(&run) }
        // Events that arrive during this work stay in the kernel's queue. The next call of `step` reads them.
        if !token.isCancelled, let work = run.plan.work(at: kernel.now) { perform(work, &run) }
    }

    private func take(_ event: FolderEvent, _ run: inout Run) {
        switch event {
        case .overflow: calls.call(with: .eventsLost)
        case .removed(let path, let wasFolder):
            // A folder that was found by a removed link may still be there under another path, at which it is not
            // watched. Only a scan finds it.
            let links = run.folderLinks.removeAll(atOrBelow: path)
            // The same holds for the link to a volume that is not mounted.
            if !links.isEmpty || run.volumes.contains(path) { run.plan.scan(at: kernel.now) }
            for link in links { kernel.unwatch(link) }
            if wasFolder {
                kernel.unwatch(path)
                run.unwatchable.removeAll(atOrBelow: path)
            }
        case .written(let path) where run.folderLinks.contains(path):
            // Something else has taken the place of the link.
            run.folderLinks.remove(path)
            kernel.unwatch(path)
            run.plan.scan(at: kernel.now)
        case .vanished(let path) where path != folder:
            // A folder inside the followed folder has been removed, moved or unmounted. If it was removed or moved,
            // nothing is done here, because its parent folder is watched too and has its own event for this. If it was
            // unmounted, there is no other event.
            if run.volumes.contains(path) { run.plan.scan(at: kernel.now) }
            return
        case .folder(let path, isComplete: false):
            explore(path, &run)
            return
        default: break
        }
        run.plan.apply(event, at: kernel.now)
    }

    /// Watches a new folder and all folders below it. A file in one of these folders may have existed before the folder
    /// was watched. Such a file may be incomplete, so it is imported only when it has not changed for some time.
    private func explore(_ path: FilePath, _ run: inout Run) {
        var failed: [FilePath: Int32] = [:]
        var walk = newWalk
        walk.willList = { [kernel] path in Self.watch(path, kernel, &failed) }
        try? walk.add(changed: path, below: folder, mayBeFolder: true)
        walk.willList = nil
        run.volumes.add(walk.mountPoints)
        for file in walk.files { run.plan.addFound(file.path, at: kernel.now) }
        if !walk.folderLinks.isEmpty { run.plan.scan(at: kernel.now + options.pace.quietTime) }
        report(failed, &run, isScan: false)
    }

    private func perform(_ work: FollowPlan.Work, _ run: inout Run) {
        run.lookTime = kernel.now + options.pace.scanInterval
        do throws(ImportError) {
            guard let identity = identityNow else { return leave(&run) }
            let isKnown = run.identity == identity && !run.isGone
            if !isKnown { kernel.unwatch(folder) }
            var walk = newWalk
            walk.leaveOut(run.plan.unfinished)
            var failed: [FilePath: Int32] = [:]
            // Each folder is watched before its files are listed, so that no new file is missed in between.
            walk.willList = { [kernel] path in Self.watch(path, kernel, &failed) }
            // The paths among which files are searched; nil for a scan. Volumes elsewhere are looked at once a minute: a
            // server that does not answer would otherwise hold up each import.
            var changed: [FilePath]?
            if case .changes(let paths) = work, isKnown,
                case let sorted = paths.keys.sorted(by: { $0.precedes($1) }),
                !run.volumes.haveChanged(near: sorted, device)
            {
                changed = sorted
                for path in sorted {
                    try walk.add(changed: path, below: folder, mayBeFolder: paths[path] ?? false)
                }
            } else {
                try walk.add(folder.text, mustBeFolder: true)
            }
            walk.willList = nil
            if isStandIn(walk, identity, &run) { return leave(&run) }
            // If the folder has been exchanged or unmounted during the search, its files were not gone: they were out
            // of sight.
            guard identityNow == identity else { return run.plan.scan(at: kernel.now) }
            let isFirst = run.identity == nil
            (run.identity, run.isGone) = (identity, false)
            takeLinks(walk, &run, isScan: changed == nil)
            report(failed, &run, isScan: changed == nil)
            keepFilesOutOfReach(&walk, &run, of: changed, isFirst: isFirst)
            calls.call(with: .imported(try runImport(walk, &run)))
            reportVolumes(&run)
        } catch .cancelled {
        } catch {
            calls.call(with: .failed(error))
            run.plan.scan(at: kernel.now + options.pace.scanInterval)
        }
    }

    // MARK: The followed folder itself

    /// The identity of the folder at the followed path; nil if there is none.
    private var identityNow: FileStatus.Identity? {
        guard let status = try? FileStatus(path: folder.text), status.kind == .folder else { return nil }
        return status.identity
    }

    /// Plans a scan if the folder that was imported is no longer at its path, or if a volume inside it has been mounted
    /// or unmounted. Every scan looks for them anyway.
    private func look(_ run: inout Run) {
        run.lookTime = kernel.now + options.pace.scanInterval
        if run.identity != nil, run.isGone || identityNow != run.identity || run.volumes.haveChanged(device) {
            run.plan.scan(at: kernel.now)
        }
    }

    /// Leaves all assets as they are, because the folder is missing, and plans a scan by which it is found again.
    private func leave(_ run: inout Run) {
        if !run.isGone { calls.call(with: .folderVanished(path: folder.text)) }
        run.isGone = true
        run.folderLinks = PathTree()
        kernel.unwatch(folder)
        run.plan.scan(at: kernel.now + options.pace.scanInterval)
    }

    /// Returns whether another folder is only in the place of the followed one, as a mount point is while its volume is
    /// not mounted. This is assumed if the library has files of the followed folder, none of them is there, and the
    /// other folder is empty or on another device. At the first scan nothing is known of the followed folder, so that it
    /// is assumed of a folder that is empty and no mount point itself.
    private func isStandIn(_ walk: FolderWalk, _ identity: FileStatus.Identity, _ run: inout Run) -> Bool {
        if let former = run.identity {
            guard former != identity, walk.files.isEmpty || former.device != identity.device else { return false }
        } else {
            guard walk.emptyFolders.contains(folder), folder.folder.map({ device($0) == device(folder) }) ?? false
            else { return false }
        }
        return withKnownFiles(&run) { known in
            if walk.files.contains(where: { known.row(recordedAt: $0.path) != nil }) { return false }
            return Self.hasAssets(below: folder, known)
        }
    }

    /// Notes the links to folders that a search has found. If a search among changes has found a link, a scan is
    /// planned: only a scan knows whether the folder is found by another path as well.
    private func takeLinks(_ walk: FolderWalk, _ run: inout Run, isScan: Bool) {
        if isScan {
            run.folderLinks = PathTree()
            for link in walk.folderLinks { run.folderLinks.insert(link) }
        } else if !walk.folderLinks.isEmpty {
            run.plan.scan(at: kernel.now)
        }
    }

    // MARK: Watches and imports

    private static func watch(_ path: FilePath, _ kernel: any FolderKernel, _ failed: inout [FilePath: Int32]) {
        do throws(FileStatus.Failure) {
            try kernel.watch(path)
        } catch {
            // If the folder has been removed by now, this is no failure: the parent folder is watched too, and its
            // events report the removal.
            if !error.isAbsence { failed[path] = error.code }
        }
    }

    private func report(_ failed: [FilePath: Int32], _ run: inout Run, isScan: Bool) {
        for (path, code) in failed.sorted(by: { $0.key.precedes($1.key) }) where !run.unwatchable.contains(path) {
            calls.call(with: .unwatchable(path: path.text, code: code))
        }
        if isScan { run.unwatchable = PathTree() }
        for path in failed.keys { run.unwatchable.insert(path) }
        if !run.unwatchable.isEmpty { run.plan.scan(at: kernel.now + options.pace.scanInterval) }
    }

    private func runImport(_ walk: FolderWalk, _ run: inout Run) throws(ImportError) -> ImportReport {
        var known = run.known.take() ?? KnownFiles(library.snapshot)
        defer { run.known = known }
        let report = try library.runImport(walk, &known, options.importing, token, nil)
        // Switches `known` to the snapshot after the import. Otherwise `known` would keep the former snapshot in memory
        // until the next event.
        known.update(to: library.snapshot)
        return report
    }
}
