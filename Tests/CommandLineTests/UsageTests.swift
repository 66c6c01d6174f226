import Foundation
import TestSupport
import Testing

@Suite(
    "The usage", .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)),
    .endsHangs)
struct UsageTests {
    private struct Option: Hashable {
        let name: String
        let hasValue: Bool
    }

    /// The options of each command, read from the text that people read.
    private static func commands() throws -> [String: [Option]] {
        let help = try ThumbwheelProcess.run("help").output
        var commands: [String: [Option]] = [:]
        var command = ""
        for line in help.split(separator: "\n") {
            if let match = line.firstMatch(of: /^thumbwheel ([a-z]+)/) {
                command = String(match.1)
                commands[command] = []
            } else if let match = line.firstMatch(of: /^    (--[a-z-]+)( \S.*?)?(  |$)/) {
                commands[command, default: []].append(Option(name: String(match.1), hasValue: match.2 != nil))
            }
        }
        return commands
    }

    @Test("names all commands, and every option of it is one that the command reads")
    func optionsAreRead() throws {
        let commands = try Self.commands()
        #expect(
            Set(commands.keys)
                == ["render", "replay", "compare", "inspect", "bench", "counts", "gate", "warm", "store", "serve"])
        for (command, options) in commands {
            #expect(options.contains(Option(name: "--json", hasValue: true)), "\(command)")
            for option in options {
                // Neither starts any work: an option without its value is refused, and so is a flag with one.
                let words = option.hasValue ? [command, option.name] : [command, option.name + "=1"]
                let outcome = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, words)
                #expect(outcome.status == 2, "\(words)")
                let complaint = option.hasValue ? "\(option.name) needs a value" : "unknown option '\(option.name)=1'"
                #expect(outcome.errors.contains(complaint), "\(words): \(outcome.errors)")
                guard !option.hasValue else { continue }
                let flag = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, [command, option.name])
                #expect(!flag.errors.contains("unknown option"), "\(words): \(flag.errors)")
            }
        }
    }

    @Test("leaves out no option that a command reads")
    func noSecretOptions() throws {
        for (command, options) in try Self.commands() {
            // The error lists what the command looks a word up in.
            let outcome = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, [command, "--frobnicate"])
            let expected = options.map(\.name).joined(separator: ", ")
            #expect(outcome.errors == "thumbwheel: unknown option '--frobnicate'; use \(expected)\n")
        }
    }

    @Test("is that of one command where one is named")
    func oneCommand() throws {
        let help = try ThumbwheelProcess.run("help", "inspect")
        #expect(help.status == 0)
        #expect(help.output.hasPrefix("thumbwheel inspect PHOTOS…\n"))
        #expect(!help.output.contains("thumbwheel replay"))
        #expect(try ThumbwheelProcess.run("help", "polish").status == 2)
    }
}
