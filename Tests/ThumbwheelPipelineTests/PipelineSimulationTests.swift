import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import SimulationKit

@Suite struct PipelineSimulationTests {
    @Test("no history of random events breaks a rule, and none of the transitions is missed")
    func histories() {
        let outcome = SimulationRange(first: 0, count: Self.seedCount).run()
        if let failure = outcome.failure {
            let seed = failure.seed
            Issue.record("\(failure.failure.rule): make simulate FIRST=\(seed) SEEDS=1 shows the shrunk history")
        }
        #expect(outcome.tally.historyCount == Self.seedCount)
        #expect(outcome.tally.neverTaken == [])
    }

    @Test("the actions of two hundred histories are those recorded, so a change of structure changes no behaviour")
    func recordedActions() {
        // A change of behaviour that is meant records the new digest, and its commit says what changed.
        let digest = SimulationRange(first: 0, count: 200, allowsSharedTier: false).run().digest
        #expect("\(digest)" == "554fb4387bd79c2b")
    }

    @Test("digests of neighbouring ranges add up to the digest of both, and depend on who did what")
    func digests() {
        var both = SimulationRange(first: 500, count: 6).run().digest
        both.add(SimulationRange(first: 506, count: 64).run().digest)
        #expect(both == SimulationRange(first: 500, count: 70).run().digest)
        var (straight, exchanged) = (HistoryDigest(), HistoryDigest())
        for (seed, digest) in [(1, 5), (2, 9)] as [(UInt64, UInt64)] {
            straight.add(digest, of: seed)
            exchanged.add(digest, of: 3 - seed)
        }
        #expect(straight != exchanged)
    }

    @Test("the same seed gives the same actions, and another seed others; played again they are the same")
    func determinism() throws {
        var digests: Set<UInt64> = []
        for seed in 0..<200 as Range<UInt64> {
            let one = try SimulatedHistory.simulate(seed: seed)
            let other = try SimulatedHistory.simulate(seed: seed)
            #expect(one.digest == other.digest, "seed \(seed)")
            #expect(one.tally == other.tally, "seed \(seed)")
            digests.insert(one.digest)
            let history = try history(of: seed)
            var replayed = PipelineSimulation(history.setup)
            for step in history.steps { #expect(replayed.take(step) == nil) }
            #expect(replayed.settle() == nil)
            #expect(replayed.driver.digest == one.digest, "seed \(seed)")
        }
        #expect(digests.count == 200)
    }

    @Test("any part of a history is a history", arguments: 0..<50 as Range<UInt64>)
    func parts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let whole = try history(of: seed)
        for _ in 0..<10 {
            var part = whole
            part.steps = whole.steps.filter { _ in random.index(below: 3) > 0 }
            #expect(part.replay() == nil, "seed \(seed)")
        }
    }

    @Test("a history that breaks a rule is shrunk to the events that break it")
    func shrinking() throws {
        // The rule: a request that has been cancelled is not cancelled again.
        func isBroken(_ history: SimulatedHistory) -> Bool {
            var cancelled: Set<Int> = []
            for case .cancel(let number) in history.steps.map(\.event) {
                if !cancelled.insert(number).inserted { return true }
            }
            return false
        }
        let seed = try #require(try (0..<100 as Range<UInt64>).first { isBroken(try history(of: $0)) })
        var shrinker = HistoryShrinker(try history(of: seed), isBroken: isBroken)
        shrinker.shrink()
        #expect(shrinker.history.steps.count == 2)
        #expect(isBroken(shrinker.history))
        #expect("\(shrinker.history.setup)" == "1 workers, 65536 KiB, oldest first, a roomy queue")
    }

    private func history(of seed: UInt64) throws -> SimulatedHistory {
        var last: SimulatedHistory?
        try SimulatedHistory.simulate(seed: seed) { last = $0 }
        return try #require(last)
    }

    /// Unoptimised, the same would take minutes.
    private static var seedCount: Int {
        #if DEBUG
        1000
        #else
        10_000
        #endif
    }
}
