import Foundation
import Thumbwheel
import TortureKit

let usage = """
    usage: TortureTool [--seed N] [--cuts 20] [--flips 100] [--workers 2] [--memory 0|1] [--part N --parts N] \
    [--journal FILE] [--isolation none|untrusted|all] FOLDER_OR_FILE...
           TortureTool storm [--seed N] [--count 100000] [--workers 2] FOLDER_OR_FILE...
           TortureTool bombs
           TortureTool memory high|fast FILE
    """

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("TortureTool: \(message)\n\(usage)\n".utf8))
    exit(2)
}

var settings = TortureRun.Settings(seed: .random(in: 0...UInt64.max))
var paths: [String] = []
var (part, parts) = (0, 1)
var count = 100_000
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
    case ("--memory", let number?): settings.watchesMemory = number > 0
    case ("--count", let number?): count = max(1, Int(clamping: number))
    case ("--part", let number?): part = Int(clamping: number)
    case ("--parts", let number?): parts = max(1, Int(clamping: number))
    case ("--journal", _): settings.journal = value
    case ("--isolation", _):
        guard let scope = Isolation(rawValue: value) else { fail("--isolation \(value) means nothing") }
        settings.isolation = RenderIsolation(
            scope, pool: DecoderPool(DecoderPool.Configuration(limits: Trial.limits, readyCount: 2)))
    default: fail("\(argument) \(value) means nothing")
    }
}
if paths.isEmpty { fail("which files?") }
if paths.count == 3, paths[0] == "memory", let quality = RenderQuality(rawValue: paths[1]) {
    do { exit(try measureMemory(of: paths[2], quality: quality) ? 0 : 1) } catch { fail("\(paths[2]): \(error)") }
}
if paths[0] == "storm" {
    let hasHeld = raiseStorm(
        over: Array(paths.dropFirst()), seed: settings.seed, count: count, workers: settings.workers)
    exit(hasHeld ? 0 : 1)
}
if paths == ["bombs"] { exit(tryBombs(rounds: 20) ? 0 : 1) }
paths = paths.enumerated().filter { $0.offset % parts == part }.map(\.element)

print("seed \(settings.seed), \(paths.count) files, each in \(1 + settings.cuts + settings.flips) states")
let (outcome, extremes) = TortureRun(paths, settings: settings).run()
print("\(outcome.heads) heads, \(outcome.images) images")
for (code, count) in outcome.errors.sorted(by: { $0.key < $1.key }) { print("\(count) \(code)") }
print("slowest: \(extremes.slowest.seconds) s, \(extremes.slowest.what)")
if settings.watchesMemory {
    print("most memory: \(extremes.largest.byteCount >> 10) KiB, \(extremes.largest.what)")
    let beyond = extremes.leastPredicted
    print("most beyond what was predicted: \(beyond.byteCount >> 10) KiB, \(beyond.what)")
}
if let statistics = settings.isolation?.pool.statistics {
    print(
        "decoders: \(statistics.started) started, \(statistics.jobs) jobs, \(statistics.crashed) crashed, "
            + "\(statistics.overdue) overdue")
}
if let peak = PeakMemory.byteCount { print("peak resident: \(peak >> 20) MiB") }
for fault in outcome.faults { print("fault: \(fault)") }
// In this process such a crash would have ended everything.
let crashCount = settings.isolation?.pool.statistics.crashed ?? 0
if crashCount > 0 { print("fault: \(crashCount) crashes of decoders") }
exit(outcome.faults.isEmpty && crashCount == 0 ? 0 : 1)
