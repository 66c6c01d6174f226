import FixtureKit
import Foundation
import TestSupport
import Testing

/// Stores in folders that are mounted read-only.
@Suite(
    "a store in a read-only folder",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)),
    .enabled(if: FileManager.default.fileExists(atPath: Checkout.fixtures), "run `make fixtures` first"),
    .enabled(if: ReadOnlyMount.isPossible, "this system lets no process mount a folder read-only"), .endsHangs)
struct ReadOnlyStoreTests {
    private func render(to store: String) -> [String] {
        [
            ThumbwheelProcess.executable!, "render", Checkout.fixtures, "--size", "64x64", "--store", store, "--json",
            "-",
        ]
    }

    private func renderCount(_ outcome: ThumbwheelProcess.Outcome) throws -> Int {
        #expect(outcome.status == 0, "\(outcome.errors)")
        let summary = try #require(outcome.document?["summary"] as? [String: Any])
        return try #require(summary["renders"] as? Int)
    }

    @Test("serves what it has, says that it does not write, and is looked at and verified, but not emptied")
    func readOnly() throws {
        let store = try TemporaryFolder()
        let render = render(to: store.path)
        #expect(try renderCount(ThumbwheelProcess.run(render[0], Array(render.dropFirst()))) > 10)
        let names = store.contents
        let outcome = try ReadOnlyMount.run(render, on: store.path)
        #expect(try renderCount(outcome) == 0)
        #expect(outcome.errors.contains("The store's folder is read-only."), "\(outcome.errors)")
        let documents = try ["stat", "verify"].map { action in
            let command = [render[0], "store", action, store.path, "--json", "-"]
            return try #require(try ReadOnlyMount.run(command, on: store.path).document)
        }
        for document in documents {
            #expect(document["entries"] as? Int ?? 0 > 10)
            #expect(document["damaged"] as? Int == 0)
        }
        let refusal = try ReadOnlyMount.run([render[0], "store", "empty", store.path], on: store.path)
        #expect(refusal.status != 0)
        #expect(refusal.errors.contains("The store's folder is read-only."), "\(refusal.errors)")
        #expect(store.contents == names)
    }

    @Test("an empty one is no store, is reported, and everything is rendered")
    func empty() throws {
        let folder = try TemporaryFolder()
        let outcome = try ReadOnlyMount.run(render(to: folder.path), on: folder.path)
        #expect(try renderCount(outcome) > 10)
        #expect(outcome.errors.contains("\(folder.path): "), "\(outcome.errors)")
    }
}
