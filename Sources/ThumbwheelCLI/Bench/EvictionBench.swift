import Dispatch
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelReplay

/// The misses of the store on disk beside those of a store of the same bytes that evicts what was used least recently: in all
/// scenarios, and in a day of `mixed`.
struct EvictionBench {
    private static let assetCount = 100_000
    private static let minutes = 30.0
    private static let secondsOfDay = 86_400.0
    /// The images that the store has room for.
    private static let storedCounts = [5_000, 20_000]

    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    func rows() -> [BenchRow] {
        let day = trial(.mixed, seconds: Self.secondsOfDay, stored: Self.storedCounts[1])
        let trials = Self.storedCounts.flatMap { stored in
            Scenario.allCases.map { trial($0, seconds: Self.minutes * 60, stored: stored) }
        }
        let all = [day] + trials
        let played = Mutex<[Int: ReplayTierCounts.Tier]>([:])
        DispatchQueue.concurrentPerform(iterations: all.count) { index in
            progress.show("eviction: \(Self.name(of: all[index])), \(all[index].storedCount) images")
            let counts = all[index].play()
            played.withLock { $0[index] = counts }
        }
        let counts = played.withLock { $0 }
        return all.indices.compactMap { index in counts[index].map { Self.row(of: all[index], $0) } }
    }

    private func trial(_ scenario: Scenario, seconds: Double, stored: Int) -> EvictionTrial {
        EvictionTrial(
            scenario: scenario, seconds: seconds, assetCount: Self.assetCount, storedCount: stored, seed: options.seed)
    }

    private static func name(of trial: EvictionTrial) -> String {
        trial.seconds == secondsOfDay ? "day" : trial.scenario.rawValue
    }

    private static func row(of trial: EvictionTrial, _ counts: ReplayTierCounts.Tier) -> BenchRow {
        func percent(_ misses: Int) -> Double { Double(misses) / Double(max(1, counts.lookups)) * 100 }
        return BenchRow(
            "eviction.\(name(of: trial)).\(trial.storedCount)", unit: "misses in percent",
            rounds: [percent(counts.misses)], operations: counts.lookups, peer: "least recently used",
            peerRounds: [percent(counts.lookups - (counts.leastRecentlyUsedHits ?? 0))])
    }
}
