import Foundation
import Testing

@Suite(
    "Arguments and input that cannot be used",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)))
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
            ["replay", Checkout.fixtures, "--html", "/"], ["inspect"], ["polish"], [],
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
