import Foundation
import SimulationKit

/// Has a process of its own simulate, and takes over where that traps: a trap is a fault like any other, and its history is
/// shrunk in further processes.
enum Supervisor {
    private struct Ending {
        let status: CInt
        let hasTrapped: Bool
        let messages: String

        var trappedSeed: UInt64? {
            messages.split(separator: "\n").last { $0.hasPrefix(CrashSeed.heading) }
                .flatMap { UInt64($0.dropFirst(CrashSeed.heading.count)) }
        }

        /// What the trap said.
        var trap: String {
            messages.split(separator: "\n").first { $0.contains("Fatal error") }.map(String.init) ?? "a trap"
        }
    }

    /// - Returns: the status to exit with.
    static func run(first: UInt64, count: Int, invariantInterval: Int, printsDigest: Bool) -> CInt {
        var arguments = [
            "--inner", "--first", "\(first)", "--seeds", "\(count)", "--invariants-every", "\(invariantInterval)",
        ]
        if printsDigest { arguments.append("--digest") }
        if isatty(STDERR_FILENO) == 1 { arguments.append("--terminal") }
        let ending = launch(arguments, passesMessagesOn: true)
        guard ending.hasTrapped else { return ending.status }
        guard let seed = ending.trappedSeed else {
            print("the simulation died")
            return 1
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "simulation-\(UUID().uuidString).json").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = launch(["--record", path, "--first", "\(seed)"])
        guard let history = try? Recording.read(path) else {
            print("seed \(seed) trapped, but not again")
            return 1
        }
        let short = Report.shrunk(history, seed: seed, rule: ending.trap) {
            replay($0, path: path, isSilent: true).status != 0
        }
        print("trapped: \(replay(short, path: path, isSilent: false).trap)")
        return 1
    }

    private static func replay(_ history: SimulatedHistory, path: String, isSilent: Bool) -> Ending {
        guard (try? Recording.write(history, to: path)) != nil else { fail("cannot write \(path)") }
        return launch(["--replay", path], isSilent: isSilent)
    }

    /// Runs this tool in another process, which ends when this one does.
    ///
    /// - Parameter passesMessagesOn: whether the other process's standard error is copied to this one's, as it comes.
    private static func launch(
        _ arguments: [String], isSilent: Bool = false, passesMessagesOn: Bool = false
    ) -> Ending {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments + ["--watched"]
        // Backtraces take seconds, and tell less than the history does.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let (life, messages) = (Pipe(), Pipe())
        process.standardInput = life
        process.standardError = messages
        if isSilent { process.standardOutput = FileHandle.nullDevice }
        do {
            try process.run()
        } catch {
            fail("cannot start another process: \(error)")
        }
        var data = Data()
        while case let part = messages.fileHandleForReading.availableData, !part.isEmpty {
            if passesMessagesOn { FileHandle.standardError.write(part) }
            data += part
        }
        process.waitUntilExit()
        return withExtendedLifetime(life) {
            Ending(
                status: process.terminationStatus, hasTrapped: process.terminationReason == .uncaughtSignal,
                messages: String(decoding: data, as: UTF8.self))
        }
    }
}
