import Foundation
import SoakKit

let usage = """
    usage: SoakTool [--seed N] [--seconds N | --hours N] [--steps N] [--users N] [--small] [--folder PATH]
    Ends with 1 and the last steps where a promise is broken.
    """

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("SoakTool: \(message)\n\(usage)\n".utf8))
    exit(2)
}

var settings = SoakSettings(
    seed: .random(in: 0...UInt64(Int32.max)), folder: NSTemporaryDirectory() + "soak-\(getpid())")
var isTemporary = true
var rest = CommandLine.arguments.dropFirst()
while let argument = rest.popFirst() {
    if argument == "--small" {
        settings.makeSmall()
        continue
    }
    guard let value = rest.popFirst() else { fail("\(argument) needs a value") }
    switch (argument, Double(value)) {
    case ("--seed", _): settings.seed = UInt64(value) ?? { fail("\(value) is no seed") }()
    case ("--seconds", let number?) where number > 0: settings.duration = .seconds(number)
    case ("--hours", let number?) where number > 0: settings.duration = .seconds(number * 3600)
    case ("--steps", let number?) where 1..<1e12 ~= number: settings.stepLimit = Int(number)
    case ("--users", let number?) where 1...1000 ~= number: settings.userCount = Int(number)
    case ("--folder", _): (settings.folder, isTemporary) = (value, false)
    default: fail("\(argument) \(value) means nothing")
    }
}
if settings.duration == nil, settings.stepLimit == nil { settings.duration = .seconds(60) }

exit(await SoakReport(settings, isTemporary: isTemporary).run())
