import Foundation
import Thumbwheel
import ThumbwheelMedia

/// The command line: `thumbwheel COMMAND …`.
@main
enum ThumbwheelCommand {
    static func main() {
        // A reader that goes away, such as `head`, ends the output and not the process by a signal.
        signal(SIGPIPE, SIG_IGN)
        // Measurements of the base library's decoder of HEVC ask for libde265.
        if ProcessInfo.processInfo.environment["THUMBWHEEL_HEVC"] != "libde265" { HEVCDecoding.install() }
        VideoExporting.install()
        // The command starts itself once more as the decoder of its own photographs.
        if DecoderProgram.isWanted { DecoderProgram.run() }
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
        // A benchmark starts the command once more for each of its servers.
        if BenchServer.isWanted { return try await BenchServer.run(arguments) }
        guard let name = arguments.first else { throw CommandError("no command; \(Usage.summary)") }
        let rest = Array(arguments.dropFirst())
        switch name {
        case "help", "--help", "-h":
            print(try Usage.text(of: rest.first))
            return .done
        case "--version":
            print(ThumbwheelVersion.current)
            return .done
        default: return try await Usage.command(name).init(rest).run()
        }
    }
}
