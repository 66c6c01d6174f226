import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// Keeps the library up to date with a folder, on one thread: reads the kernel's events, decides with a `FollowPlan`
/// when to import which files, and imports them.
final class FolderFollower: Sendable {
    private let library: PhotoLibrary
    private let folder: FilePath
    private let kernel: any FolderKernel
    private let options: FollowOptions
    private let calls: ObserverCalls<FollowEvent>
    private let token = CancellationToken()

    /// The state that the thread in `run` keeps from one step to the next.
    struct Run {
        var plan: FollowPlan
        /// The files that the library knows; nil before the first import.
        var known: KnownFiles?
        /// The identity of the folder; nil before its first scan and while the folder is missing.
        var identity: FileStatus.Identity?
        /// Whether it has been reported to the host program that the folder is missing. It is reported only once.
        var isGone = false
        /// The folders that cannot be watched, as already reported to the host.
        var unwatchable: Set<FilePath> = []
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
        var run = Run(plan: FollowPlan(options.pace))
        run.plan.scan(at: kernel.now)
        return run
    }

    /// Waits for events until some work is due, and does that work.
    func step(_ run: inout Run) {
        let deadline = run.plan.deadline
        if deadline.map({ $0 > kernel.now }) ?? true {
            for event in kernel.events(until: deadline) { take(event, &run) }
        }
        // Events that arrive during this work stay in the kernel's queue. The next call of `step` reads them.
        if !token.isCancelled, let work = run.plan.work(at: kernel.now) { perform(work, &run) }
    }

    private func take(_ event: FolderEvent, _ run: inout Run) {
        switch event {
        case .overflow: calls.call(with: .eventsLost)
        case .removed(let path, wasFolder: true):
            kernel.unwatch(path)
            run.unwatchable = run.unwatchable.filter { $0 != path && !$0.isBelow(path) }
        case .vanished(let path) where path != folder:
            // A folder inside the followed folder has been removed or moved. Nothing is done here, because its parent
            // folder is watched too and has its own event for this.
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
        var walk = FolderWalk(token: token)
        walk.willList = { [kernel] path in Self.watch(path, kernel, &failed) }
        try? walk.add(changed: path, below: folder, mayBeFolder: true)
        walk.willList = nil
        for file in walk.files { run.plan.addFound(file.path, at: kernel.now) }
        report(failed, &run, isScan: false)
    }

    private func perform(_ work: FollowPlan.Work, _ run: inout Run) {
        do throws(ImportError) {
            guard let isKnown = checkFolder(&run) else { return }
            var walk = FolderWalk(token: token)
            walk.leaveOut(run.plan.unfinished)
            var failed: [FilePath: Int32] = [:]
            // Each folder is watched before its files are listed, so that no new file is missed in between.
            walk.willList = { [kernel] path in Self.watch(path, kernel, &failed) }
            if case .changes(let paths) = work, isKnown {
                for (path, mayBeFolder) in paths.sorted(by: { $0.key.precedes($1.key) }) {
                    try walk.add(changed: path, below: folder, mayBeFolder: mayBeFolder)
                }
            } else {
                try walk.add(folder.text, mustBeFolder: true)
            }
            walk.willList = nil
            report(failed, &run, isScan: work == .scan || !isKnown)
            calls.call(with: .imported(try runImport(walk, &run)))
        } catch .cancelled {
        } catch {
            calls.call(with: .failed(error))
            run.plan.scan(at: kernel.now + options.pace.scanInterval)
        }
    }

    /// Looks for the followed folder.
    ///
    /// - Returns: true for the same folder as before, false for another folder at its path; nil if there is none.
    private func checkFolder(_ run: inout Run) -> Bool? {
        let status = try? FileStatus(path: folder.text)
        guard let status, status.kind == .folder else {
            if !run.isGone { calls.call(with: .folderVanished(path: folder.text)) }
            run.isGone = true
            run.identity = nil
            kernel.unwatch(folder)
            run.plan.scan(at: kernel.now + options.pace.scanInterval)
            return nil
        }
        run.isGone = false
        let isKnown = run.identity == status.identity
        if !isKnown { kernel.unwatch(folder) }
        run.identity = status.identity
        return isKnown
    }

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
        if isScan { run.unwatchable = [] }
        run.unwatchable.formUnion(failed.keys)
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
