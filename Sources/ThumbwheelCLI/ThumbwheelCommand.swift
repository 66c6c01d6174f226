import Foundation
import Thumbwheel

/// The command line: `thumbwheel render|replay|compare|inspect|bench|counts|gate …`.
@main
enum ThumbwheelCommand {
    static func main() {
        // A reader that goes away, such as `head`, ends the output and not the process by a signal.
        signal(SIGPIPE, SIG_IGN)
        Allocator.configure()
        Task.detached {
            do throws(CommandError) {
                exit(try await run(Array(CommandLine.arguments.dropFirst())).rawValue)
            } catch {
                FileHandle.standardError.write(Data("thumbwheel: \(error.message)\n".utf8))
                exit(ExitStatus.unusable.rawValue)
            }
        }
        // Waits until a task exits. An asynchronous `main` would park the thread by `dispatchMain`, in which valgrind dies.
        while true { pause() }
    }

    private static func run(_ arguments: [String]) async throws(CommandError) -> ExitStatus {
        guard let command = arguments.first else { throw CommandError("no command; \(Usage.summary)") }
        let rest = Array(arguments.dropFirst())
        switch command {
        case "render": return try await RenderCommand(rest).run()
        case "replay": return try await ReplayCommand(rest).run()
        case "compare": return try CompareCommand(rest).run()
        case "inspect": return try await InspectCommand(rest).run()
        case "bench": return try await BenchCommand(rest).run()
        case "counts": return try CountsCommand(rest).run()
        case "gate": return try GateCommand(rest).run()
        case "help", "--help", "-h":
            print(Usage.text)
            return .done
        case "--version":
            print(ThumbwheelVersion.current)
            return .done
        default: throw CommandError("unknown command '\(command)'; \(Usage.summary)")
        }
    }
}

enum ExitStatus: Int32 {
    case done = 0
    /// The work was done, and its verdict is negative.
    case negative = 1
    /// The arguments or the input cannot be used.
    case unusable = 2
}

/// Arguments or input that cannot be used: one line that says why and what to do.
struct CommandError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
