import Foundation
import TestSupport
import Testing
import Thumbwheel
import TortureKit

@Suite("Damaged files through every entry point", .endsHangs)
struct TortureTests {
    /// Files of a folder beside the package, or inside it.
    private static func paths(_ folder: String) -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appending(path: folder).standardizedFileURL.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().map { path + "/" + $0 }
    }

    @Test(
        "a sample of the generated photographs ends as images and typed errors",
        .enabled(if: !paths("Fixtures/library").isEmpty, "run `make fixtures` first"))
    func fixtures() { sample("Fixtures/library") }

    @Test(
        "a sample of files of every format ends as images and typed errors",
        .enabled(if: !paths("../shared/formats").isEmpty, "../shared/formats is not there"))
    func formats() { sample("../shared/formats") }

    @Test(
        "a sample of hostile files ends as images and typed errors",
        .enabled(if: !paths("../shared/hostile").isEmpty, "../shared/hostile is not there"))
    func hostile() { sample("../shared/hostile") }

    @Test("every file that a fuzzer once found ends as an image or a typed error, and so do its like")
    func regressions() {
        let paths = Self.paths("Fixtures/regressions").filter { !$0.hasSuffix(".md") }
        #expect(!paths.isEmpty)
        let settings = Self.settings(seed: 1, cuts: 10, flips: 40)
        let (outcome, _) = TortureRun(paths, settings: settings).run()
        #expect(outcome.faults.isEmpty)
    }

    private static func settings(seed: UInt64, cuts: Int, flips: Int) -> TortureRun.Settings {
        var settings = TortureRun.Settings(seed: seed)
        (settings.cuts, settings.flips) = (cuts, flips)
        // A busy machine may stand still for long in the middle of a trial. A trial that hangs is ended by the suite.
        settings.patience = .seconds(3600)
        return settings
    }

    private func sample(_ folder: String) {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("torture of \(folder) from seed \(seed)")
        var numbers = SeededGenerator(seed: seed)
        // Small files tell as much as large ones, in less time.
        let small = Self.paths(folder).filter { path in
            (try? FileByteSource(path: path)).map { $0.byteCount < 100_000 } ?? false
        }
        let settings = Self.settings(seed: seed, cuts: 2, flips: 4)
        let run = TortureRun(Array(small.shuffled(using: &numbers).prefix(12)), settings: settings)
        let (outcome, _) = run.run()
        #expect(outcome.faults.isEmpty)
        #expect(outcome.heads + outcome.errors.count > 0)
    }

    @Test("the same seed does the same damage")
    func repeatable() {
        let whole = [UInt8](0..<200)
        for number in 0...30 {
            let one = Damage(number: number, cuts: 10, seed: 7).applied(to: whole)
            #expect(one == Damage(number: number, cuts: 10, seed: 7).applied(to: whole))
            #expect((number == 0) == (one == whole) || number > 10)
        }
    }
}
