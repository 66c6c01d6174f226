import Foundation
import Testing
import Thumbwheel

@testable import ThumbwheelReplay

/// What baselines count on committed traces: the line that a strategy is compared with must not move unnoticed.
@Suite("GoldenCounts")
struct GoldenCountsTests {
    private struct Counts: Codable, Equatable {
        var cellFrames, blankCellFrames, neverFilled, blankBound: Int
        var submitted, delivered, cancelled, started, finished, stopped, preempted, wasted: Int
        var lookups, hits, optimumMisses, evictions: Int

        init(_ run: ReplayRun) {
            let (requests, renders, cache) = (run.statistics.requests, run.statistics.renders, run.statistics.cache)
            (cellFrames, blankCellFrames) = (run.counts.cellFrames, run.counts.blank)
            (neverFilled, blankBound) = (run.neverFilled, run.blankBound)
            (submitted, delivered, cancelled) = (requests.submitted, requests.delivered, requests.cancelled)
            (started, finished, stopped) = (renders.started, renders.finished, renders.stopped)
            (preempted, wasted) = (renders.preempted, run.work.wasted)
            (lookups, hits) = (cache.lookups, cache.hits)
            (optimumMisses, evictions) = (run.optimumMisses, cache.evictions)
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Benchmarks/Traces")
    private static let file = folder.appendingPathComponent("counts.json")
    private static let baselines = ReplayStrategy.allCases.filter { $0 != .thumbwheel && $0 != .clairvoyant }

    private static func play(_ trace: String, _ strategy: ReplayStrategy) throws -> ReplayRun {
        let trace = try ScrollTrace(contentsOfFile: folder.appendingPathComponent(trace + ".jsonl").path)
        let settings = ReplaySettings(deliveryMode: .highQuality, workerCount: 1, budget: 16 << 20)
        return VirtualPlayer(settings: settings, assetCount: trace.assetCount ?? 2000, costs: .builtIn(seed: 1))
            .play(trace, strategy: strategy)
    }

    @Test("every baseline counts what it always did, on each committed trace")
    func counts() throws {
        var counts: [String: [String: Counts]] = [:]
        for trace in ["brisk", "hard", "growing"] {
            for strategy in Self.baselines {
                let run = try Self.play(trace, strategy)
                #expect(run.mismatched == 0)
                counts[trace, default: [:]][strategy.rawValue] = Counts(run)
            }
        }
        guard ProcessInfo.processInfo.environment["THUMBWHEEL_WRITE_COUNTS"] == nil else {
            try DocumentCoding.encode(counts).write(to: Self.file)
            return
        }
        let golden = try JSONDecoder().decode([String: [String: Counts]].self, from: Data(contentsOf: Self.file))
        #expect(golden.count == counts.count)
        for (trace, strategies) in counts {
            for (strategy, count) in strategies {
                #expect(golden[trace]?[strategy] == count, "\(strategy) on \(trace); see Benchmarks/Traces/README.md")
            }
        }
    }
}
