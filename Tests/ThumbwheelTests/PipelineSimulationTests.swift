import Foundation
import TestSupport
import Testing
import Thumbwheel

@Suite struct PipelineSimulationTests {
    /// Another range of seeds is simulated by setting these: `SIMULATE_SEEDS=1000000 SIMULATE_FIRST=20000 swift test …`.
    private static let seedCount = number("SIMULATE_SEEDS") ?? defaultSeedCount
    private static let firstSeed = number("SIMULATE_FIRST") ?? 0

    @Test("no history of random events breaks a rule, whatever its seed")
    func histories() async throws {
        let tally = try await withThrowingTaskGroup(of: SimulationTally.self) { group in
            for lane in 0..<CrashSeeds.laneCount {
                group.addTask { try Self.run(lane: lane) }
            }
            return try await group.reduce(into: SimulationTally()) { $0.add($1) }
        }
        print("\(tally.historyCount) histories from seed \(Self.firstSeed): \(tally)")
        #expect(tally.historyCount == Self.seedCount)
        // A transition that never happened is one that nothing was proved about.
        if Self.seedCount >= 1000 { #expect(tally.neverTaken == []) }
    }

    private static func run(lane: Int) throws -> SimulationTally {
        var tally = SimulationTally()
        defer { CrashSeeds.note(nil, lane: lane) }
        for index in stride(from: lane, to: seedCount, by: CrashSeeds.laneCount) {
            let seed = UInt64(firstSeed + index)
            CrashSeeds.note(seed, lane: lane)
            var simulation = PipelineSimulation(seed: seed)
            try simulation.run()
            tally.add(simulation.tally)
        }
        return tally
    }

    @Test("the same seed gives the same actions, and another seed others")
    func determinism() throws {
        var digests: Set<UInt64> = []
        for seed in 0..<200 as Range<UInt64> {
            var one = PipelineSimulation(seed: seed)
            var other = PipelineSimulation(seed: seed)
            try one.run()
            try other.run()
            #expect(one.digest == other.digest, "seed \(seed)")
            #expect(one.tally == other.tally, "seed \(seed)")
            digests.insert(one.digest)
        }
        #expect(digests.count == 200)
    }

    /// Unoptimised, the same would take minutes.
    private static var defaultSeedCount: Int {
        #if DEBUG
        1000
        #else
        20_000
        #endif
    }

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }
}
