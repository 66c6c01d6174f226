import Foundation
import TortureKit

let usage = "usage: TortureTool [--seed N] [--cuts 20] [--flips 100] [--workers 2] [--journal FILE] FOLDER_OR_FILE..."

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("TortureTool: \(message)\n\(usage)\n".utf8))
    exit(2)
}

var settings = TortureRun.Settings(seed: .random(in: 0...UInt64.max))
var paths: [String] = []
var rest = CommandLine.arguments.dropFirst()
while let argument = rest.popFirst() {
    guard argument.hasPrefix("--") else {
        let names = try? FileManager.default.contentsOfDirectory(atPath: argument).sorted()
        paths += names?.map { argument + "/" + $0 } ?? [argument]
        continue
    }
    guard let value = rest.popFirst() else { fail("\(argument) needs a value") }
    switch (argument, UInt64(value)) {
    case ("--seed", let number?): settings.seed = number
    case ("--cuts", let number?): settings.cuts = Int(clamping: number)
    case ("--flips", let number?): settings.flips = Int(clamping: number)
    case ("--workers", let number?): settings.workers = max(1, Int(clamping: number))
    case ("--journal", _): settings.journal = value
    default: fail("\(argument) \(value) means nothing")
    }
}
if paths.isEmpty { fail("which files?") }

print("seed \(settings.seed), \(paths.count) files, each in \(1 + settings.cuts + settings.flips) states")
let (outcome, slowest) = TortureRun(paths, settings: settings).run()
print("\(outcome.heads) heads, \(outcome.images) images")
for (code, count) in outcome.errors.sorted(by: { $0.key < $1.key }) { print("\(count) \(code)") }
print("slowest: \(slowest.seconds) s, \(slowest.what)")
if let peak = PeakMemory.byteCount { print("peak resident: \(peak >> 20) MiB") }
for fault in outcome.faults { print("fault: \(fault)") }
exit(outcome.faults.isEmpty ? 0 : 1)
