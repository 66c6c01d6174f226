import Foundation
import TestSupport
import Testing

@Suite(
    "thumbwheel replay",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)),
    .enabled(if: FileManager.default.fileExists(atPath: Checkout.fixtures), "run `make fixtures` first"), .endsHangs)
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

    @Test(
        "other layouts are scrolled on both clocks, and the document names them", arguments: ["real", "virtual"],
        [["justified", "vertical"], ["sections", "horizontal"]])
    func layouts(clock: String, names: [String]) throws {
        let folder = try TemporaryFolder()
        var finalCount = 0
        // On the real clock, a busy machine may keep the process waiting until the scroll is over.
        for _ in 0..<20 where finalCount == 0 {
            let outcome = try ThumbwheelProcess.run(
                "replay", Checkout.fixtures, "--clock", clock, "--assets", "300", "--seconds", "1", "--layout",
                names[0], "--axis", names[1], "--spacing", "4", "--insets", "8", "--cell", "128", "--record",
                folder.file("trace.jsonl"), "--json", "-")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let workload = (outcome.document?["settings"] as? [String: Any])?["workload"] as? [String: Any]
            let name = try #require(workload?["layout"] as? String)
            #expect(name.hasPrefix(names[0]) && name.contains("horizontal") == (names[1] == "horizontal"))
            let run = try #require((outcome.document?["runs"] as? [[String: Any]])?.first)
            #expect(run["mismatched"] as? Int == 0)
            finalCount = run["finalCellFrames"] as? Int ?? 0
        }
        #expect(finalCount > 0)
        // The recorded trace has the layout with it.
        let again = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--trace", folder.file("trace.jsonl"), "--clock", "virtual", "--assets", "300",
            "--json", "-")
        #expect(again.status == 0, "\(again.errors)")
        let both = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--trace", folder.file("trace.jsonl"), "--layout", "grid")
        #expect(both.status == 2 && both.errors.contains("--layout"))
    }

    @Test("placeholders can be imported, and left out", arguments: ["real", "virtual"])
    func placeholders(clock: String) throws {
        func run(_ options: String...) throws -> [String: Any] {
            let outcome = try ThumbwheelProcess.run(
                ThumbwheelProcess.executable!,
                [
                    "replay", Checkout.fixtures, "--assets", "400", "--seconds", "1.5", "--scenario", "scrub",
                    "--clock",
                    clock, "--workers", "1", "--no-previews", "--json", "-",
                ] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try #require((outcome.document?["runs"] as? [[String: Any]])?.first)
        }
        let imported = try run("--placeholders", "imported")
        #expect(imported["blankCellFrames"] as? Int == 0)
        #expect((imported["placeholderCellFrames"] as? Int ?? 0) > 0)
        #expect(try run("--no-placeholders")["placeholderCellFrames"] as? Int == 0)
        let both = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--no-placeholders", "--placeholders", "seen", "--json", "-")
        #expect(both.status == 2 && both.errors.contains("--no-placeholders"))
    }

    /// The value that a path of keys leads to.
    private func value(at path: String, in document: [String: Any]) -> Any? {
        path.split(separator: ".").reduce(document as Any?) { ($0 as? [String: Any])?[String($1)] }
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

    @Test("a simulated store fills the grid after a restart without a render, and leaves its folder alone")
    func restart() throws {
        let folder = try TemporaryFolder()
        let outcome = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--clock", "virtual", "--assets", "5000", "--seconds", "4", "--delivery",
            "high",
            "--store", folder.file("store"), "--seen", "5000", "--restart-at", "2", "--json", "-", "--html",
            folder.file("replay.html"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let run = try #require((outcome.document?["runs"] as? [[String: Any]])?.first)
        #expect(value(at: "renders.started", in: run) as? Int == 0)
        #expect(value(at: "restart.frame", in: run) as? Int == 120)
        #expect(value(at: "restart.warm.blankCellFrames", in: run) as? Int == 0)
        #expect(value(at: "images.stored", in: run) as? Int == value(at: "images.shown", in: run) as? Int)
        #expect(!FileManager.default.fileExists(atPath: folder.file("store")))
        #expect(try folder.text(of: "replay.html").contains("Where the images came from"))
    }

    @Test("on the real clock images go to a store, and the next run renders none of them")
    func realStore() throws {
        let folder = try TemporaryFolder()
        func play() throws -> [String: Any] {
            let outcome = try ThumbwheelProcess.run(
                "replay", Checkout.fixtures, "--seconds", "1", "--scenario", "gentle", "--delivery", "high", "--store",
                folder.file("store"), "--json", "-")
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try #require((outcome.document?["runs"] as? [[String: Any]])?.first)
        }
        var renderCount = 0
        // A busy machine may keep the process waiting until the scroll is over.
        for _ in 0..<20 where renderCount == 0 {
            renderCount = value(at: "images.rendered", in: try play()) as? Int ?? 0
        }
        #expect(renderCount > 0)
        var stored = (images: 0, hits: 0)
        // A store that does not answer at once, on a busy machine, is not waited for, and the image is rendered.
        for _ in 0..<20 where stored.images == 0 {
            let next = try play()
            stored.images = value(at: "images.stored", in: next) as? Int ?? 0
            stored.hits = value(at: "tiers.store.hits", in: next) as? Int ?? 0
        }
        #expect(stored.images > 0 && stored.hits > 0)
    }

    @Test("servers share a simulated store; what only a simulation has is refused on the real clock")
    func servers() throws {
        let outcome = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--clock", "virtual", "--assets", "600", "--seconds", "10", "--scenario",
            "gentle",
            "--servers", "3", "--json", "-")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let run = try #require((outcome.document?["runs"] as? [[String: Any]])?.first)
        #expect(value(at: "images.shared", in: run) as? Int ?? 0 > 0)
        #expect(value(at: "tiers.shared.writes", in: run) as? Int ?? 0 > 0)
        let settings = try #require(outcome.document?["settings"] as? [String: Any])
        #expect(value(at: "engine.servers", in: settings) as? Int == 3)
        #expect(value(at: "workload.viewers", in: settings) as? Int == 3)
        #expect(value(at: "workload.encoding", in: settings) as? String == "jpg")
        for words in [["--servers", "2"], ["--restart-at", "1"], ["--seen", "5"], ["--encoding", "jpeg"]] {
            let refused = try ThumbwheelProcess.run(
                ThumbwheelProcess.executable!, ["replay", Checkout.fixtures] + words)
            #expect(refused.status == 2)
            #expect(refused.errors == "thumbwheel: \(words[0]) is simulated; add --clock virtual\n")
        }
        for (words, complaint) in [
            (["--seen", "5"], "--seen says what stores have; add --store or --servers"),
            (["--servers", "4", "--viewers", "3"], "--viewers 3: 4 servers want at least one viewer each"),
            (
                ["--restart-at", "1", "--events", "-"],
                "--events shows the time line of one process; leave --servers and --restart-at out"
            ),
        ] {
            let refused = try ThumbwheelProcess.run(
                ThumbwheelProcess.executable!, ["replay", Checkout.fixtures, "--clock", "virtual"] + words)
            #expect(refused.status == 2)
            #expect(refused.errors == "thumbwheel: \(complaint)\n")
        }
    }

    @Test("under high-quality delivery only finals are shown")
    func highQuality() throws {
        let outcome = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--seconds", "1", "--delivery", "high", "--json", "-")
        let run = try #require((outcome.document?["runs"] as? [[String: Any]])?.first)
        #expect(run["degradedCellFrames"] as? Int == 0)
    }

    @Test("the same simulation is the same bytes, on one processor and on several, outside what the machine did")
    func determinism() throws {
        let folder = try TemporaryFolder()
        func play(_ name: String, _ prefix: [String]) throws -> [String: Any] {
            let outcome = try ThumbwheelProcess.run(
                "/usr/bin/env",
                prefix + [
                    ThumbwheelProcess.executable!, "replay", Checkout.fixtures, "--clock", "virtual", "--scenario",
                    "mixed",
                    "--assets", "3000", "--viewers", "3", "--provider-latency", "lognormal:80ms,0.6", "--seconds", "6",
                    "--strategy", "thumbwheel,naive,clairvoyant", "--sweep", "budget=8MiB..32MiB", "--json",
                    folder.file(name), "--html", folder.file(name + ".html"),
                ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
            return Self.withoutMachine(try JSONSerialization.jsonObject(with: data)) as! [String: Any]
        }
        let once = try play("once", [])
        #expect((once["runs"] as? [Any])?.count == 3)
        #expect(((once["sweep"] as? [String: Any])?["points"] as? [Any])?.count == 3)
        #if os(Linux)
        let again = try play("again", ["taskset", "-c", "0"])
        #else
        let again = try play("again", [])
        #endif
        #expect(once as NSDictionary == again as NSDictionary)
        #expect(try folder.text(of: "once.html").contains("How it scales with the budget"))
    }

    private static func withoutMachine(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(withoutMachine) }
        guard let object = value as? [String: Any] else { return value }
        return object.filter { $0.key != "host" && $0.key != "measured" }.mapValues(withoutMachine)
    }
}
