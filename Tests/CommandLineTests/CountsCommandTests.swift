import Foundation
import TestSupport
import Testing

@Suite(
    "thumbwheel counts and compare",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)),
    .enabled(if: FileManager.default.fileExists(atPath: Checkout.fixtures), "run `make fixtures` first"), .endsHangs)
struct CountsCommandTests {
    private func counts(_ kinds: String) throws -> String {
        let outcome = try ThumbwheelProcess.run("counts", Checkout.fixtures, "--only", kinds, "--json", "-")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test("virtual replays are the same in every process, and the committed baseline has them all")
    func replays() throws {
        let folder = try TemporaryFolder()
        let first = try counts("replays")
        #expect(first == (try counts("replays")))
        try folder.write(first, to: "counts.json")
        let baseline = Checkout.root + "/perf-reports/baseline.json"
        let comparison = try ThumbwheelProcess.run(
            "compare", folder.file("counts.json"), baseline, "--json", "-", "--html", folder.file("report.html"))
        #expect(comparison.status != 2, "\(comparison.errors)")
        let rows = try #require(comparison.document?["rows"] as? [[String: Any]])
        #expect(!rows.contains { $0["verdict"] as? String == "gone" })
        #expect(try folder.text(of: "report.html").contains("replay.hard"))
    }

    @Test("times of the operations come when they are asked for, one for each")
    func times() throws {
        let document = try JSONSerialization.jsonObject(with: Data(try counts("times").utf8)) as? [String: Any]
        let figures = try #require(document?["figures"] as? [[String: Any]])
        #expect(figures.count > 10)
        #expect(figures.allSatisfy { $0["unit"] as? String == "nanoseconds" && ($0["value"] as? Double ?? 0) > 0 })
    }

    @Test("a gate without a build to compare with is refused")
    func gateWithoutBase() throws {
        let folder = try TemporaryFolder()
        try folder.write("#!/bin/sh\necho nothing to see\n", to: "fake")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("fake"))
        for arguments in [
            ["gate"], ["gate", "--base", "/there/is/no/build"], ["gate", "--base", folder.file("fake")],
        ] {
            let outcome = try ThumbwheelProcess.run(
                ThumbwheelProcess.executable!, arguments + ["--html", folder.file("gate.html")])
            #expect(outcome.status == 2)
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        #expect(folder.contents == ["fake"])
    }
}
