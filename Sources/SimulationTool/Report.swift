import Foundation
import SimulationKit

/// What the process that simulates says.
enum Report {
    /// - Returns: the status to exit with.
    static func simulate(first: UInt64, count: Int) -> CInt {
        let isTerminal = isatty(FileHandle.standardError.fileDescriptor) != 0
        let start = ContinuousClock.now
        let outcome = SimulationRange(first: first, count: count).run { done in
            guard isTerminal, done.isMultiple(of: 1024) else { return }
            FileHandle.standardError.write(Data("\r\(done) of \(count)\r".utf8))
        }
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
