import Foundation
import Testing

@Suite(
    "thumbwheel replay",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)),
    .enabled(if: FileManager.default.fileExists(atPath: Checkout.fixtures), "run `make fixtures` first"))
struct ReplayCommandTests {
    @Test("plays each strategy, and its document and report agree with one another")
    func strategies() throws {
        let folder = try TemporaryFolder()
        let outcome = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--assets", "400", "--seconds", "1.5", "--strategy",
            "thumbwheel,requests-only,naive", "--budget", "16MiB", "--json", folder.file("replay.json"), "--html",
            folder.file("replay.html"), "--record", folder.file("trace.jsonl"), "--events", folder.file("events.json"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("replay.json")))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(document["schema"] as? String == "thumbwheel.replay/1")
        let runs = try #require(document["runs"] as? [[String: Any]])
        #expect(runs.map { $0["strategy"] as? String } == ["thumbwheel", "requests-only", "naive"])
        for run in runs {
            func count(_ key: String) -> Int { run[key] as? Int ?? -1 }
            let shown =
                count("blankCellFrames") + count("placeholderCellFrames") + count("degradedCellFrames")
                + count("finalCellFrames")
            #expect(shown == count("cellFrames"))
            #expect(count("frames") == 90)
            #expect(count("mismatched") == 0)
            #expect(count("blankBound") <= count("blankCellFrames"))
            let cache = try #require(run["cache"] as? [String: Int])
            #expect(cache["hits"]! + cache["misses"]! == cache["lookups"]!)
            #expect(cache["peakBytes"]! <= 16 << 20)
        }
        try compareEvents(folder.file("events.json"), with: runs)
        let html = try folder.text(of: "replay.html")
        #expect(html.hasPrefix("<!DOCTYPE html>") || html.hasPrefix("<!doctype html>"))
        #expect(html.contains("thumbwheel replay"))
        // The recorded trace plays again.
        let again = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--trace", folder.file("trace.jsonl"), "--assets", "400", "--json", "-")
        #expect(again.status == 0, "\(again.errors)")
        let replayed = try #require((again.document?["runs"] as? [[String: Any]])?.first)
        #expect(replayed["frames"] as? Int == 90)
    }

    /// The time line of each run counts what its document counts.
    private func compareEvents(_ path: String, with runs: [[String: Any]]) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let events = try #require(document["traceEvents"] as? [[String: Any]])
        for (index, run) in runs.enumerated() {
            let own = events.filter { $0["pid"] as? Int == index + 1 }
            func count(_ phase: String, _ end: String? = nil) -> Int {
                own.count { event in
                    event["ph"] as? String == phase
                        && (end == nil || (event["args"] as? [String: Any])?["end"] as? String == end)
                }
            }
            let requests = try #require(run["requests"] as? [String: Int])
            #expect(count("b") == requests["submitted"])
            #expect(count("e", "delivered") == requests["delivered"])
            #expect(count("e", "cancelled") == requests["cancelled"])
            #expect(count("b") == count("e"))
            let renders = try #require(run["renders"] as? [String: Any])
            #expect(count("B") == renders["started"] as? Int)
            #expect(count("E", "finished") == renders["finished"] as? Int)
            #expect(count("B") == count("E"))
        }
    }

    @Test("under high-quality delivery only finals are shown")
    func highQuality() throws {
        let outcome = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--seconds", "1", "--delivery", "high", "--json", "-")
        let run = try #require((outcome.document?["runs"] as? [[String: Any]])?.first)
        #expect(run["degradedCellFrames"] as? Int == 0)
    }
}
