import Foundation
import ThumbwheelReplay

/// Counts the instructions of the micro-benchmarks: this executable runs them once more, under callgrind.
struct InstructionCounter {
    let folder: String
    let benchmarks: [MicroBenchmark]

    func figures() throws(CommandError) -> [CountsDocument.Figure] {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("thumbwheel-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        do {
            try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        } catch {
            throw CommandError("\(scratch.path): \(error.localizedDescription)")
        }
        let output = scratch.appendingPathComponent("counts").path
        let outcome = try ChildProcess.run(
            "/usr/bin/env",
            [
                "valgrind", "--tool=callgrind", "--dump-line=no", "--callgrind-out-file=\(output)",
                // Two patterns for one function: the second of two equal ones is lost (callgrind 3.19).
                "--toggle-collect=*13countedRegion*", "--dump-after=*countedRegion*",
                ChildProcess.ownPath, "counts", folder, "--only", "times", "--rounds", "1", "--json", "-",
            ])
        guard outcome.status == 0 else {
            let isMissing = outcome.status == 127
            throw CommandError(
                isMissing
                    ? "valgrind is missing; Scripts/install-packages installs it, --only replays,allocations does without"
                    : "counting under valgrind failed: \(outcome.reason)")
        }
        var figures: [CountsDocument.Figure] = []
        for (index, benchmark) in benchmarks.enumerated() {
            guard let dump = try? String(contentsOfFile: "\(output).\(index + 1)", encoding: .utf8) else {
                throw CommandError("callgrind wrote \(index) profiles instead of \(benchmarks.count)")
            }
            let count = CallgrindDump(dump).ownInstructions
            // An executable without symbols would seem to do nothing at all.
            guard count > 0 else { throw CommandError("callgrind saw no instructions of \(benchmark.name)") }
            let each = Double(count) / Double(benchmark.operations)
            figures.append(
                CountsDocument.Figure(
                    name: benchmark.name + ".instructions", unit: .instructions, value: each.rounded()))
        }
        return figures
    }
}
