import Foundation
import SimulationKit
import Synchronization

/// What the process that simulates says.
enum Report {
    /// - Parameters:
    ///   - isTerminal: whether progress is one line that changes; otherwise a new line comes now and then.
    ///   - printsDigest: whether the report ends with the digest of all actions.
    /// - Returns: the status to exit with.
    static func simulate(
        first: UInt64, count: Int, invariantInterval: Int, isTerminal: Bool, printsDigest: Bool
    ) -> CInt {
        let start = ContinuousClock.now
        let progress = Mutex(SimulationProgress(total: count, every: isTerminal ? .seconds(1) : .seconds(20)))
        let range = SimulationRange(first: first, count: count, invariantInterval: invariantInterval)
        let outcome = range.run { done in
            let text = progress.withLock { $0.text(done: Int(done), after: ContinuousClock.now - start) }
            guard let text else { return }
            FileHandle.standardError.write(Data((isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n").utf8))
        }
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        if let failure = outcome.failure {
            let broken = failure.failure
            narrate(shrunk(broken.history, seed: failure.seed, rule: broken.rule) { $0.replay() != nil })
            return 1
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let tally = outcome.tally
        print(
            "\(tally.historyCount) histories from seed \(first), none breaks a rule "
                + "(\(Int(Double(tally.historyCount) / seconds)) a second). Transitions, and how often:")
        print(tally)
        if printsDigest { print("digest of seeds \(first) ..< \(first + UInt64(count)): \(outcome.digest)") }
        guard tally.neverTaken.isEmpty else {
            print("never taken: \(tally.neverTaken.map { "\($0)" }.joined(separator: ", "))")
            return 1
        }
        return 0
    }

    /// Says which rule was broken.
    ///
    /// - Returns: the shortest history found that still breaks one.
    static func shrunk(
        _ history: SimulatedHistory, seed: UInt64, rule: String, isBroken: @escaping (SimulatedHistory) -> Bool
    ) -> SimulatedHistory {
        print("seed \(seed), event \(history.steps.count): \(rule)")
        var shrinker = HistoryShrinker(history, isBroken: isBroken)
        shrinker.shrink()
        print("shrunk from \(history.steps.count) events to \(shrinker.history.steps.count):")
        // Another process may be the next to print.
        fflush(nil)
        return shrinker.history
    }

    /// - Returns: whether a rule is broken.
    @discardableResult
    static func narrate(_ history: SimulatedHistory) -> Bool {
        print(history.setup)
        let rule = history.replay { line in
            print(line)
            // The next event may trap.
            fflush(nil)
        }
        print(rule.map { "broken: \($0)" } ?? "no rule is broken")
        return rule != nil
    }
}
