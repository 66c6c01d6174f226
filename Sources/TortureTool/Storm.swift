import Foundation
import Thumbwheel
import TortureKit

/// Sends files through the decoder with planted faults, which lies beside this program, and tells how it went.
///
/// - Returns: whether no promise was broken.
func raiseStorm(over paths: [String], seed: UInt64, count: Int, workers: Int) -> Bool {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    var settings = IsolationStorm.Settings(seed: seed, decoder: folder + "/PlantedDecoder")
    (settings.count, settings.workers) = (count, workers)
    guard FileManager.default.isExecutableFile(atPath: settings.decoder) else {
        print("fault: \(settings.decoder) has not been built")
        return false
    }
    let storm = IsolationStorm(paths, settings: settings)
    guard storm.fileCount > 0 else {
        print("fault: no file has a head that can be read")
        return false
    }
    print("seed \(seed), \(count) requests for \(storm.fileCount) files")
    let start = ContinuousClock.now
    let outcome: IsolationStorm.Outcome
    do {
        outcome = try storm.run { if $0 % 10_000 == 0 { print("\($0) requests") } }
    } catch {
        print("fault: \(error)")
        return false
    }
    let decoders = outcome.decoders
    print("\(outcome.planted) were made to fail; \(outcome.images) images, in \(ContinuousClock.now - start)")
    for (code, count) in outcome.errors.sorted(by: { $0.key < $1.key }) { print("\(count) \(code)") }
    print(
        "decoders: \(decoders.started) started, \(decoders.jobs) jobs, \(decoders.crashed) crashed, "
            + "\(decoders.overdue) overdue")
    if let usage = outcome.usage { print("the host early on: \(usage.early); at the end: \(usage.late)") }
    for fault in outcome.faults { print("fault: \(fault)") }
    return outcome.faults.isEmpty
}
