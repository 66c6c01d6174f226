import Foundation
import Testing
import Thumbwheel
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelGrid

@testable import ThumbwheelReplay

/// The documents of virtual replays, for every scenario and strategy: a change of structure leaves each as it was.
@Suite("GoldenReplays")
struct GoldenReplaysTests {
    /// One replay: the figures that a reader understands, and a hash of the whole document.
    private struct Record: Codable, Equatable {
        var cellFrames, blankCellFrames, rendersStarted, rendersWasted: Int
        var document: String

        init(_ run: ReplayRun) throws {
            cellFrames = run.counts.cellFrames
            blankCellFrames = run.counts.blank
            rendersStarted = run.statistics.renders.started
            rendersWasted = run.work.wasted
            var virtual = run
            // The machine's own times and bytes differ from run to run.
            virtual.measured = ReplayRun.Measurements()
            let bytes = try DocumentCoding.encode(ReplayDocument.Run(virtual))
            document = String(XXHash64.digest([UInt8](bytes)), radix: 16)
        }
    }

    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Benchmarks/Traces/replays.json")

    /// The kinds of load that take different ways through the pipeline.
    private static let loads: [(name: String, settings: ReplaySettings, viewers: Int)] = [
        ("two workers", ReplaySettings(workerCount: 2, budget: 24 << 20), 1),
        ("one worker, packing", ReplaySettings(workerCount: 1, budget: 8 << 20, packsRenditions: true), 1),
        (
            "two viewers, high quality",
            ReplaySettings(deliveryMode: .highQuality, workerCount: 2, budget: 24 << 20), 2
        ),
        (
            "network",
            ReplaySettings(
                workerCount: 2, budget: 48 << 20, providerLatency: LatencyModel(medianMilliseconds: 80, sigma: 0.5)), 1
        ),
    ]

    private static func play(
        _ scenario: Scenario, _ strategy: ReplayStrategy, settings: ReplaySettings, viewers: Int
    ) throws -> Record {
        let layout = GridLayout(columnCount: 4, cellSide: 256, viewport: PixelSize(width: 1024, height: 2048))
        let traces = (0..<viewers).map {
            scenario.trace(seed: 7, layout: layout, itemCount: 3000, seconds: 8, viewer: $0)
        }
        let player = VirtualPlayer(settings: settings, assetCount: 3000, costs: .builtIn(seed: 7))
        return try Record(player.play(traces, strategy: strategy, scenario: scenario, seed: 7))
    }

    @Test("every strategy plays every scenario as it always did")
    func replays() throws {
        var records: [String: Record] = [:]
        for load in Self.loads {
            for scenario in Scenario.allCases {
                for strategy in ReplayStrategy.allCases {
                    let name = "\(scenario.rawValue), \(strategy.rawValue), \(load.name)"
                    records[name] = try Self.play(scenario, strategy, settings: load.settings, viewers: load.viewers)
                }
            }
        }
        guard ProcessInfo.processInfo.environment["THUMBWHEEL_WRITE_COUNTS"] == nil else {
            try DocumentCoding.encode(records).write(to: Self.file)
            return
        }
        let golden = try JSONDecoder().decode([String: Record].self, from: Data(contentsOf: Self.file))
        #expect(golden.count == records.count)
        for (name, record) in records.sorted(by: { $0.key < $1.key }) {
            #expect(golden[name] == record, "\(name); see Benchmarks/Traces/README.md")
        }
    }
}
