import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelAssets

/// A kernel whose events and time a test sets.
final class ManualKernel: FolderKernel {
    struct State {
        var now = Duration.zero
        /// The time at which the clock stops.
        var limit = Duration.zero
        var events: [FolderEvent] = []
        var watched: Set<FilePath> = []
        /// The folders that cannot be watched, with the reason.
        var refused: [FilePath: Int32] = [:]
        /// Called when a folder is about to be watched.
        var watching: (@Sendable (FilePath) -> Void)?
        var wakeCount = 0
        /// The device numbers of the volumes that the test has mounted, by their mount points.
        var volumes: [FilePath: UInt64] = [:]
        /// The folders whose device numbers were asked for.
        var asked: [FilePath] = []
    }

    let state = Mutex(State())

    var now: Duration { state.withLock { $0.now } }

    var watched: Set<FilePath> { state.withLock { $0.watched } }

    var isAtLimit: Bool { state.withLock { $0.now >= $0.limit && $0.events.isEmpty } }

    func tell(_ events: FolderEvent...) { state.withLock { $0.events += events } }

    func refuse(_ folder: FilePath, _ code: Int32?) { state.withLock { $0.refused[folder] = code } }

    func watch(_ folder: FilePath) throws(FileStatus.Failure) {
        let (code, watching) = state.withLock { state in
            if state.refused[folder] == nil { state.watched.insert(folder) }
            return (state.refused[folder], state.watching)
        }
        if let code { throw FileStatus.Failure(code: code) }
        watching?(folder)
    }

    func unwatch(_ folder: FilePath) {
        state.withLock { state in state.watched = state.watched.filter { $0 != folder && !$0.isBelow(folder) } }
    }

    /// Returns the events that the test has told, or lets the time pass.
    func events(until deadline: Duration?) -> [FolderEvent] {
        state.withLock { state in
            defer { state.events = [] }
            if state.events.isEmpty { state.now = max(state.now, min(deadline ?? state.limit, state.limit)) }
            return state.events
        }
    }

    func device(of folder: FilePath, _ status: FileStatus) -> UInt64 {
        let volumes = state.withLock { state in
            state.asked.append(folder)
            return state.volumes.filter { folder == $0.key || folder.isBelow($0.key) }
        }
        return volumes.max { $1.key.isBelow($0.key) }?.value ?? status.identity.device
    }

    func wake() { state.withLock { $0.wakeCount += 1 } }
}
