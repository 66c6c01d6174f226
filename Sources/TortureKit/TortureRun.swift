import Foundation
import Thumbwheel
import ThumbwheelLocks

/// Trials of many files, on several threads.
///
/// What each thread is at is written to a file first: where the process dies, that file tells of what.
package final class TortureRun: Sendable {
    package struct Settings: Sendable {
        package var seed: UInt64
        package var cuts = 20
        package var flips = 100
        package var workers = 2
        /// A trial that takes longer is a fault.
        package var patience = Duration.seconds(60)
        /// Whether a call that holds too much memory is a fault. Of several workers nobody knows which one holds it.
        package var watchesMemory = false
        /// Where threads write what they are at; nil for nowhere.
        package var journal: String?
        /// The decoder processes through which all files go; nil to decode in this process.
        package var isolation: RenderIsolation?

        package init(seed: UInt64) {
            self.seed = seed
        }
    }

    private struct State {
        var next = 0
        var outcome = Trial.Outcome()
        var extremes = Extremes()
    }

    /// The trials that took the most of something.
    package struct Extremes: Sendable {
        package var slowest: (seconds: Double, what: String) = (0, "none")
        package var largest: (byteCount: Int, what: String) = (0, "none")
        package var leastPredicted: (byteCount: Int, what: String) = (.min, "none")
    }

    private let paths: [String]
    private let settings: Settings
    private let idleByteCount: Int?
    private let state = Mutex(State())

    package init(_ paths: [String], settings: Settings) {
        self.paths = paths
        self.settings = settings
        idleByteCount = settings.watchesMemory && settings.workers == 1 ? PeakMemory.currentByteCount : nil
    }

    /// Tries everything, and says how it went.
    package func run() -> (outcome: Trial.Outcome, extremes: Extremes) {
        DispatchQueue.concurrentPerform(iterations: settings.workers) { worker in
            let journal = settings.journal.map { FileHandle.journal(at: "\($0).\(worker)") } ?? nil
            while let path = takePath() { tryAll(of: path, journal: journal) }
        }
        return state.withLock { ($0.outcome, $0.extremes) }
    }

    private func takePath() -> String? {
        state.withLock { state in
            guard state.next < paths.count else { return nil }
            defer { state.next += 1 }
            return paths[state.next]
        }
    }

    private func tryAll(of path: String, journal: FileHandle?) {
        guard let whole = try? FileByteSource(path: path).bytes() else { return }
        for number in 0...settings.cuts + settings.flips {
            let damage = Damage(number: number, cuts: settings.cuts, seed: settings.seed)
            let what = "\(path), \(damage)"
            journal?.replaceContents(with: what)
            let start = ContinuousClock.now
            var outcome = Trial(
                damage.applied(to: whole), rendersWhole: number % 40 == 0,
                idleByteCount: idleByteCount.map { $0 + whole.count }, isolation: settings.isolation
            ).run()
            let time = ContinuousClock.now - start
            if time > settings.patience { outcome.faults.append("took \(time)") }
            outcome.faults = outcome.faults.map { "\($0): \(what)" }
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            state.withLock { state in
                state.outcome.add(outcome)
                state.extremes.note(outcome, seconds: seconds, what: what)
            }
        }
    }
}

extension TortureRun.Extremes {
    fileprivate mutating func note(_ outcome: Trial.Outcome, seconds: Double, what: String) {
        if seconds > slowest.seconds { slowest = (seconds, what) }
        if outcome.workingByteCount > largest.byteCount { largest = (outcome.workingByteCount, what) }
        if outcome.unpredictedByteCount > leastPredicted.byteCount {
            leastPredicted = (outcome.unpredictedByteCount, what)
        }
    }
}

extension FileHandle {
    fileprivate static func journal(at path: String) -> FileHandle? {
        guard FileManager.default.createFile(atPath: path, contents: nil) else { return nil }
        return FileHandle(forWritingAtPath: path)
    }

    fileprivate func replaceContents(with text: String) {
        // A journal that cannot be written is one that tells nothing: the trials go on.
        try? truncate(atOffset: 0)
        try? write(contentsOf: Data(text.utf8))
    }
}
