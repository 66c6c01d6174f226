import Foundation
import Testing
import Thumbwheel
import ThumbwheelCaching
import ThumbwheelGrid

@testable import ThumbwheelReplay

@Suite("Replays with storage tiers")
struct TierReplayTests {
    private let layout = GridLayout(columnCount: 4, cellSide: 256, viewport: PixelSize(width: 1024, height: 2048))

    private func play(
        _ tiers: ReplayTiers, scenario: Scenario = .hard, assets: Int = 50_000, seconds: Double = 10, workers: Int = 2,
        viewers: Int = 1, strategy: ReplayStrategy = .thumbwheel
    ) -> ReplayRun {
        var settings = ReplaySettings(deliveryMode: .highQuality, workerCount: workers, placeholders: .none)
        settings.tiers = tiers
        let traces = (0..<viewers).map {
            scenario.trace(seed: 5, layout: layout, itemCount: assets, seconds: seconds, viewer: $0)
        }
        return VirtualPlayer(settings: settings, assetCount: assets, costs: .builtIn(seed: 5))
            .play(traces, strategy: strategy, scenario: scenario, seed: 5)
    }

    private func tiers(_ change: (inout ReplayTiers) -> Void) -> ReplayTiers {
        var tiers = ReplayTiers()
        change(&tiers)
        return tiers
    }

    @Test(
        "what was seen before fills the grid after a restart without a render, and no cell is blank after the first fill",
        arguments: [Scenario.brisk, .hard], ReplayStrategy.allCases.filter { $0 != .naive })
    func restart(_ scenario: Scenario, _ strategy: ReplayStrategy) throws {
        let run = play(
            tiers {
                $0.storeFolder = "store"
                $0.storeByteLimit = 16 << 30
                $0.seenCount = 50_000
                $0.restartMilliseconds = 5_000
            }, scenario: scenario, strategy: strategy)
        #expect(run.statistics.renders.started == 0)
        #expect(run.renderCountSinceRestart == 0)
        let restart = try #require(run.restart)
        #expect(restart.frame == 300)
        #expect(try #require(restart.warmStart) - restart.frame <= 3)
        if strategy == .thumbwheel { #expect(run.warmSinceRestart.blank == 0) }
        #expect(run.sinceRestart.blank > 0, "the screen is blank at the restart")
        #expect(run.origins.count == run.origins.stored)
        #expect(run.mismatched == 0)
    }

    @Test("without a store a restart renders everything again")
    func restartWithoutStore() {
        let once = play(ReplayTiers(), scenario: .gentle)
        let twice = play(tiers { $0.restartMilliseconds = 5_000 }, scenario: .gentle)
        #expect(twice.tiers == nil)
        #expect(twice.statistics.renders.started > once.statistics.renders.started)
        #expect(twice.counts.blank > once.counts.blank)
        #expect(twice.origins.rendered == twice.origins.count)
    }

    @Test("a store outlives the process: what was shown before the restart is not rendered again")
    func storeOutlives() throws {
        let run = play(
            tiers {
                $0.storeFolder = "store"
                $0.restartMilliseconds = 6_000
            }, scenario: .boomerang, seconds: 12)
        #expect(run.statistics.renders.started > 0)
        #expect(run.origins.stored > 0)
        let store = try #require(run.tiers?.store)
        #expect(store.hits > 0 && store.hits <= store.lookups)
        #expect(store.writes > 0)
    }

    @Test("servers share what one of them has rendered, and few renditions are rendered twice")
    func servers() throws {
        // Both show the same small library at the same time.
        let alone = play(tiers { $0.encoding = .jpeg(quality: 85) }, scenario: .gentle, assets: 2_000, seconds: 30)
        let shared = play(
            tiers {
                $0.serverCount = 4
                $0.encoding = .jpeg(quality: 85)
            }, scenario: .gentle, assets: 2_000, seconds: 30, viewers: 4)
        #expect(shared.origins.shared > 0)
        #expect(shared.origins.rendered + shared.origins.shared == shared.origins.count)
        let counts = try #require(shared.tiers)
        #expect(counts.store == nil)
        #expect(counts.claims > 0)
        let tier = try #require(counts.shared)
        #expect(tier.hits + counts.awaited > 0)
        #expect(tier.byteCount > 0)
        #expect(alone.origins.rendered == alone.origins.count)
    }

    @Test("of several servers whose viewers do the same, one makes each rendition and the others wait for it")
    func singleFlight() throws {
        var settings = ReplaySettings(deliveryMode: .highQuality, workerCount: 2, placeholders: .none)
        settings.tiers = tiers {
            $0.serverCount = 3
            $0.encoding = .jpeg(quality: 85)
        }
        let trace = Scenario.gentle.trace(seed: 2, layout: layout, itemCount: 5_000, seconds: 10)
        let run = VirtualPlayer(settings: settings, assetCount: 5_000, costs: .builtIn(seed: 2))
            .play([trace, trace, trace], strategy: .requestsOnly, scenario: .gentle, seed: 2)
        let counts = try #require(run.tiers)
        #expect(counts.awaited > 0)
        // Of three equal cells one is rendered, but for those whose render is cheaper than the round trips.
        #expect(Double(run.statistics.renders.started) < 0.4 * Double(run.origins.count))
    }

    @Test("equal arguments give equal runs with tiers as well")
    func determinism() throws {
        func document() throws -> NSDictionary {
            var run = play(
                tiers {
                    $0.storeFolder = "store"
                    $0.storeByteLimit = 8 << 20
                    $0.serverCount = 3
                    $0.encoding = .jpeg(quality: 85)
                    $0.restartMilliseconds = 3_000
                    $0.seenCount = 500
                }, scenario: .mixed, assets: 3_000, viewers: 5)
            run.measured = ReplayRun.Measurements()
            let data = try DocumentCoding.encode(ReplayDocument.Run(run))
            return try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
        }
        #expect(try document() == document())
    }

    @Test("tiers whose every look-up is slow are passed over, and cost no more than a few of them")
    func slowStore() {
        let none = play(ReplayTiers(), scenario: .brisk)
        let slow = play(
            tiers {
                $0.storeFolder = "store"
                $0.storeLatency = LatencyModel(medianMilliseconds: 2_000, sigma: 0)
            }, scenario: .brisk)
        #expect(slow.origins.rendered > 0)
        #expect(slow.warm.blank <= none.warm.blank + none.warm.cellFrames / 20)
    }

    @Test("documents and reports tell where images came from")
    func report() throws {
        let run = play(
            tiers {
                $0.storeFolder = "store"
                $0.restartMilliseconds = 6_000
            }, scenario: .boomerang, seconds: 12)
        let data = try DocumentCoding.encode(ReplayDocument.Run(run))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
        #expect(Self.value(at: "images.stored", in: json) as? Int == run.origins.stored)
        #expect(Self.value(at: "restart.frame", in: json) as? Int == 360)
        #expect(Self.value(at: "tiers.store.misses", in: json) as? Int == run.tiers?.store?.misses)
        #expect(Self.value(at: "tiers.store.leastRecentlyUsedMisses", in: json) as? Int != nil)
        let page = try html([run])
        #expect(page.contains("Where the images came from"))
        #expect(page.contains("class=\"restart\""))
        #expect(page.contains("Since the restart"))
        #expect(try !html([play(ReplayTiers(), seconds: 2)]).contains("Where the images came from"))
    }

    /// The value that a path of keys leads to.
    private static func value(at path: String, in document: NSDictionary) -> Any? {
        path.split(separator: ".").reduce(document as Any?) { ($0 as? NSDictionary)?[String($1)] }
    }

    private func html(_ runs: [ReplayRun]) throws -> String {
        ReplayReport(document: try .sample(runs: runs), runs: runs, command: "thumbwheel replay").html
    }

    // MARK: The simulated store beside the real one

    /// Look-ups of a screen that goes back and forth over many keys, and what is written after each miss.
    private func lookups(_ count: Int, seed: UInt64) -> [Int] {
        var generator = SeededGenerator(seed: seed)
        var place = 0
        return (0..<count).map { _ in
            if generator.index(below: 40) == 0 { place = generator.index(below: 4_000) }
            place = max(0, place + generator.index(below: 9) - 3)
            return place
        }
    }

    @Test("the simulated store misses as often as the real one, on disk", arguments: [1, 2] as [UInt64])
    func simulatedStore(seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tiers-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (byteLimit, byteCount) = (8 << 20, 6_000)
        let real = DiskStore(DiskStore.Configuration(folder: folder, byteLimit: byteLimit))
        defer { real.close() }
        var simulated = SimulatedDiskStore<Int>(byteLimit: byteLimit)
        var recent = BoundedStore<Int>(byteLimit: byteLimit)
        var misses = (real: 0, simulated: 0, recent: 0)
        // What is on its way to the disk a manager has in memory.
        var written: Set<Int> = []
        for (step, number) in lookups(12_000, seed: seed).enumerated() {
            if step.isMultiple(of: 64) {
                real.flush()
                written = []
            }
            guard !written.contains(number) else { continue }
            var generator = SeededGenerator(seed: UInt64(number))
            let key = StoreKey(high: generator.next(), low: generator.next())
            if real.value(for: key) == nil {
                misses.real += 1
                written.insert(number)
                real.put(StoredValue([UInt8](repeating: 1, count: byteCount)), for: key)
            }
            if !simulated.contains(number) {
                misses.simulated += 1
                simulated.put(number, byteCount: byteCount, cost: 0)
            }
            if !recent.contains(number) {
                misses.recent += 1
                recent.put(number, byteCount: SimulatedDiskStore<Int>.room(forBytes: byteCount))
            }
        }
        #expect(simulated.evictionCount > 100)
        #expect(abs(misses.real - misses.simulated) < 12_000 / 50, "\(misses), seed \(seed)")
        #expect(simulated.byteCount <= byteLimit)
        #expect(misses.simulated >= misses.recent / 2)
    }
}
