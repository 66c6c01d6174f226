import Foundation
import TestSupport
import Testing

@Suite(
    "Arguments and input that cannot be used",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)), .endsHangs)
struct ArgumentTests {
    @Test(
        "end with status 2, one line that says why, and nothing written",
        arguments: [
            ["render"], ["render", "/there/is/no/such/folder"], ["render", Checkout.fixtures, "--size", "0x0"],
            ["render", Checkout.fixtures, "--size", "100000x100000"], ["render", Checkout.fixtures, "--size", "big"],
            ["render", Checkout.fixtures, "--crop", "0.5,0.5,0.6,0.2"],
            ["render", Checkout.fixtures, "--crop", "0,0,0,1"],
            ["render", Checkout.fixtures, "--crop", "nan,0,1,1"], ["render", Checkout.fixtures, "--frobnicate"],
            ["render", Checkout.fixtures, "--workers", "0"], ["render", Checkout.fixtures, "--delivery", "slow"],
            ["render", Checkout.fixtures, "--json", "/there/is/no/such/folder/out.json"],
            ["render", Checkout.fixtures, "--size"], ["replay", Checkout.fixtures, "--scenario", "dawdle"],
            ["replay", Checkout.fixtures, "--trace", "/there/is/no/trace"],
            ["replay", Checkout.fixtures, "--budget", "-1"], ["replay", Checkout.fixtures, "--clock", "sundial"],
            ["replay", Checkout.fixtures, "--html", "/"], ["replay", Checkout.fixtures, "--viewers", "2"],
            ["replay", Checkout.fixtures, "--provider-latency", "constant:5ms"],
            ["replay", Checkout.fixtures, "--clock", "virtual", "--provider-latency", "lognormal:80,0.6"],
            ["replay", Checkout.fixtures, "--clock", "virtual", "--provider-latency", "constant:nanms"],
            ["replay", Checkout.fixtures, "--clock", "virtual", "--sweep", "budget=4GiB..16MiB"],
            ["replay", Checkout.fixtures, "--clock", "virtual", "--sweep", "budget"],
            ["replay", Checkout.fixtures, "--clock", "virtual", "--sweep", "seed=1..2"],
            ["replay", Checkout.fixtures, "--seed", "1", "--seed", "2"],
            ["compare", "/there/is/nothing", "/there/is/nothing"], ["inspect"], ["polish"], [],
        ])
    func refused(_ arguments: [String]) throws {
        let outcome = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("thumbwheel: "))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test("a folder without images is unusable input")
    func emptyFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("no picture", to: "notes.txt")
        let outcome = try ThumbwheelProcess.run("render", folder.path)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("no image"))
    }

    @Test(
        "a trace that cannot be one names its line",
        arguments: [
            (["{\"t\":5,\"y\":0}", "{\"t\":4,\"y\":0}"], "line 3: time runs backwards"),
            (["{\"t\":0,\"y\":NaN}"], "line 2"),
            (["{\"t\":0,\"y\":1e999}"], "line 2"), ([], "line 2"),
            ([String(repeating: "\n", count: 4_000_001)], "line 4000001"),
        ])
    func badTraces(_ lines: [String], message: String) throws {
        let folder = try TemporaryFolder()
        let header = #"{"thumbwheelTrace":1,"columns":4,"cell":180,"viewport":[720,1440]}"#
        try folder.write(([header] + lines).joined(separator: "\n"), to: "trace.jsonl")
        try folder.write(lines.joined(separator: "\n"), to: "headless.jsonl")
        for (file, message) in [("trace.jsonl", message), ("headless.jsonl", "line ")] {
            let outcome = try ThumbwheelProcess.run(
                "replay", Checkout.fixtures, "--trace", folder.file(file), "--json", folder.file("out.json"))
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(folder.contents == ["headless.jsonl", "trace.jsonl"])
    }

    @Test("documents that cannot be compared name the file and the key")
    func badDocuments() throws {
        let folder = try TemporaryFolder()
        func document(scenario: String = "brisk", blank: Int = 1, hits: Int = 4, schema: String = "thumbwheel.replay/1")
            -> String
        {
            let counts =
                #""cellFrames":3,"blankCellFrames":\#(blank),"placeholderCellFrames":0,"degradedCellFrames":0,"finalCellFrames":2"#
            return
                #"{"schema":"\#(schema)","settings":{"workload":{"scenario":"\#(scenario)"}},"runs":[{"strategy":"naive","#
                + #"\#(counts),"warm":{\#(counts)},"cache":{"lookups":5,"hits":\#(hits),"misses":1}}]}"#
        }
        try folder.write(document(), to: "good.json")
        for (text, message) in [
            (document(scenario: "hard"), "'scenario'"), (document(blank: 2), "'cellFrames'"),
            (document(hits: 3), "'cache.lookups'"), (document(schema: "thumbwheel.replay/9"), "thumbwheel.replay/9"),
            (String(document().dropLast(9)), "bad.json: not a JSON document"), ("", "bad.json: not a JSON document"),
            (document(schema: "thumbwheel.bench/1"), "bad.json: no key 'results'"),
            (document(schema: "thumbwheel.render/1"), "bad.json: no key 'summary'"),
        ] {
            try folder.write(text, to: "bad.json")
            let outcome = try ThumbwheelProcess.run(
                "compare", folder.file("good.json"), folder.file("bad.json"), "--json", folder.file("out.json"))
            #expect(outcome.status == 2, "\(message)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(try ThumbwheelProcess.run("compare", folder.file("good.json"), folder.file("good.json")).status == 0)
        #expect(folder.contents == ["bad.json", "good.json"])
    }

    @Test("a trace with a syntax error names its line, and no report is written")
    func badTrace() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            {"thumbwheelTrace":1,"columns":4,"cell":180,"viewport":[720,1440]}
            {"t":0,"y":0}
            {"t":16,"y":}
            """, to: "trace.jsonl")
        let outcome = try ThumbwheelProcess.run(
            "replay", Checkout.fixtures, "--trace", folder.file("trace.jsonl"), "--html", folder.file("out.html"))
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("line 3"))
        #expect(folder.contents == ["trace.jsonl"])
    }

    @Test("help and version are answers, not errors")
    func help() throws {
        let help = try ThumbwheelProcess.run("help")
        #expect(help.status == 0)
        #expect(help.output.contains("thumbwheel replay"))
        #expect(try ThumbwheelProcess.run("--version").status == 0)
    }
}
