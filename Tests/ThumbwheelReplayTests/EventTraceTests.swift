import Foundation
import Testing
import Thumbwheel
import ThumbwheelGrid

@testable import ThumbwheelReplay

@Suite struct EventTraceTests {
    private let layout = GridLayout(columnCount: 4, cellSide: 256, viewport: PixelSize(width: 1024, height: 2048))

    private func play(
        _ strategy: ReplayStrategy, recordsEvents: Bool = true, seed: UInt64 = 3
    ) -> ReplayRun {
        let settings = ReplaySettings(workerCount: 3, budget: 16 << 20, recordsEvents: recordsEvents)
        let trace = Scenario.hard.trace(seed: seed, layout: layout, itemCount: 20_000, seconds: 10)
        return VirtualPlayer(settings: settings, assetCount: 20_000, costs: .builtIn(seed: seed))
            .play(trace, strategy: strategy, scenario: .hard, seed: seed)
    }

    @Test("slices are balanced, in order of time and never two at once on a track", arguments: ReplayStrategy.allCases)
    func slices(_ strategy: ReplayStrategy) throws {
        let run = play(strategy)
        let trace = try ParsedTrace(EventTrace([run]).data)
        var lastTime = 0.0
        var openOnTrack: [Int: Int] = [:]
        var openRequests: Set<Int> = []
        for event in trace.events where event.phase != "M" {
            #expect(event.time >= lastTime)
            #expect(event.time <= 10_000_000)
            lastTime = event.time
            switch event.phase {
            case "B":
                #expect((1...3).contains(event.track))
                #expect(openOnTrack[event.track] == nil)
                openOnTrack[event.track] = event.arguments["render"] as? Int
            case "E": #expect(openOnTrack.removeValue(forKey: event.track) != nil)
            case "b": #expect(openRequests.insert(event.id).inserted)
            case "n": #expect(openRequests.contains(event.id))
            case "e": #expect(openRequests.remove(event.id) != nil)
            case "C", "i": break
            default: Issue.record("a phase that is not used: \(event.phase)")
            }
        }
        #expect(openOnTrack.isEmpty)
        #expect(openRequests.isEmpty)
    }

    @Test("what the time line counts is what the document counts", arguments: ReplayStrategy.allCases)
    func counts(_ strategy: ReplayStrategy) throws {
        let run = play(strategy)
        let trace = try ParsedTrace(EventTrace([run]).data)
        let statistics = run.statistics
        func count(_ phase: String, _ key: String = "end", _ value: String? = nil) -> Int {
            trace.events.count { $0.phase == phase && (value == nil || $0.arguments[key] as? String == value) }
        }
        #expect(count("b") == statistics.requests.submitted)
        #expect(count("n", "what", "coalesced") == statistics.requests.coalesced)
        #expect(count("e", "end", "delivered") == statistics.requests.delivered)
        #expect(count("e", "end", "cancelled") == statistics.requests.cancelled)
        #expect(count("e", "end", "failed") == statistics.requests.failed)
        #expect(count("e", "end", "shed") == statistics.requests.shed)
        #expect(count("e", "end", "unfinished") == statistics.liveRequestCount)
        #expect(count("B") == statistics.renders.started)
        #expect(count("E", "end", "finished") == statistics.renders.finished)
        #expect(count("E", "end", "stopped") == statistics.renders.stopped)
        #expect(count("E", "end", "preempted") == statistics.renders.preempted)
        #expect(count("E", "end", "unfinished") == statistics.runningRenderCount)
        #expect(trace.events.count { $0.phase == "i" && $0.name == "evicted" } == statistics.cache.evictions)
        #expect(statistics.renders.started > 0)
        let cached = trace.events.filter { $0.name == "budget bytes" }.compactMap { $0.arguments["cached"] as? Int }
        // Between two points of the time line there may be more.
        #expect(try #require(cached.max()) <= statistics.cache.peakByteCount)
        #expect(cached.last == statistics.cachedByteCount)
    }

    @Test("equal runs are equal bytes, and recording changes nothing but itself")
    func determinism() {
        let run = play(.thumbwheel)
        #expect(EventTrace([run]).data == EventTrace([play(.thumbwheel)]).data)
        #expect(EventTrace([run]).data != EventTrace([play(.thumbwheel, seed: 4)]).data)
        let silent = play(.thumbwheel, recordsEvents: false)
        #expect(silent.events == nil)
        #expect(silent.statistics == run.statistics)
    }

    @Test("each run is a process of its own")
    func processes() throws {
        let trace = try ParsedTrace(EventTrace([play(.thumbwheel), play(.naive)]).data)
        let names = trace.events.filter { $0.name == "process_name" }.map { $0.arguments["name"] as? String }
        #expect(names == ["thumbwheel", "naive"])
        #expect(Set(trace.events.map(\.process)) == [1, 2])
        let tracks = trace.events.filter { $0.process == 2 && $0.name == "thread_name" }
        #expect(tracks.map { $0.arguments["name"] as? String } == ["cache", "worker 0", "worker 1", "worker 2"])
    }
}

/// A trace as a viewer reads it.
private struct ParsedTrace {
    struct Event {
        let phase: String
        let name: String
        let process: Int
        let track: Int
        let time: Double
        let id: Int
        let arguments: [String: Any]
    }

    let events: [Event]

    init(_ data: Data) throws {
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        events = try #require(document["traceEvents"] as? [[String: Any]]).map { event in
            Event(
                phase: event["ph"] as? String ?? "", name: event["name"] as? String ?? "",
                process: event["pid"] as? Int ?? -1, track: event["tid"] as? Int ?? -1,
                time: event["ts"] as? Double ?? -1, id: event["id"] as? Int ?? -1,
                arguments: event["args"] as? [String: Any] ?? [:])
        }
    }
}
