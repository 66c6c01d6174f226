import Foundation
import SimulationKit

let usage = """
    usage: SimulationTool [--seeds 100000] [--first 0] [--invariants-every 1] [--digest]
               Plays random histories and judges each after every event. The pipeline's own invariants, which take most of
               the time, can be checked after every so many events only. With --digest the report ends with a digest of
               all actions, which two versions of the pipeline share that act alike.
           SimulationTool --replay FILE
               Plays one history again, in words.
    """

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("SimulationTool: \(message)\n\(usage)\n".utf8))
    exit(2)
}

var seeds = 100_000
var first: UInt64 = 0
var invariantInterval = 1
var replayed: String?
var recording: String?
/// Whether this is the process that simulates, and not the one that waits in case it traps.
var isInner = false
var printsDigest = false
/// Whether standard error ends at a terminal, perhaps by way of another process.
var isTerminal = false
var rest = CommandLine.arguments.dropFirst()
while let argument = rest.popFirst() {
    switch argument {
    case "--inner":
        isInner = true
        continue
    case "--digest":
        printsDigest = true
        continue
    case "--terminal":
        isTerminal = true
        continue
    case "--watched":
        ParentWatch.begin()
        continue
    default: break
    }
    guard let value = rest.popFirst() else { fail("\(argument) needs a value") }
    switch (argument, UInt64(value)) {
    case ("--seeds", let number?) where number > 0 && number <= UInt64(Int.max): seeds = Int(number)
    case ("--first", let number?) where number <= UInt64(Int.max): first = number
    case ("--invariants-every", let number?) where number > 0 && number <= 1 << 20: invariantInterval = Int(number)
    case ("--replay", _): replayed = value
    case ("--record", _): recording = value
    default: fail("\(argument) \(value) means nothing")
    }
}

if let recording {
    Recording.write(seed: first, to: recording)
} else if let replayed {
    guard let history = try? Recording.read(replayed) else { fail("\(replayed) is not a history") }
    if Report.narrate(history) { exit(1) }
} else if isInner {
    exit(
        Report.simulate(
            first: first, count: seeds, invariantInterval: invariantInterval, isTerminal: isTerminal,
            printsDigest: printsDigest))
} else {
    exit(
        Supervisor.run(first: first, count: seeds, invariantInterval: invariantInterval, printsDigest: printsDigest))
}
