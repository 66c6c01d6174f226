import Foundation
import ThumbwheelRedis

/// A Redis server of a benchmark's own, on a port that is free, with a bound and a policy as a cache has them.
final class RedisProcess {
    private static let folders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]

    private static func path(of program: String) -> String? {
        folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static var isInstalled: Bool { path(of: "redis-server") != nil && path(of: "redis-cli") != nil }

    let port: Int
    let url: RedisURL
    /// The address as the command line takes it.
    var address: String { Self.address(port) }
    private let child: Process

    init() throws {
        // A port that another process has taken makes the server end; then the next one is tried.
        for _ in 0..<8 {
            let port = Int.random(in: 20_000..<60_000)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Self.path(of: "redis-server") ?? "/nonexistent")
            process.arguments =
                ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
                + ["--maxmemory", "512mb", "--maxmemory-policy", "allkeys-lru", "--enable-debug-command", "yes"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.currentDirectoryURL = FileManager.default.temporaryDirectory
            try process.run()
            while process.isRunning {
                if Self.answer(to: ["PING"], port: port) == "PONG", let url = RedisURL(Self.address(port)) {
                    (self.port, self.url, child) = (port, url, process)
                    return
                }
            }
        }
        throw BenchError("redis-server does not start")
    }

    private static func address(_ port: Int) -> String { "redis://127.0.0.1:\(port)" }

    deinit {
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
    }

    /// Has the server hang (`SIGSTOP`), go on (`SIGCONT`) or end (`SIGKILL`).
    func signal(_ signal: Int32) { kill(child.processIdentifier, signal) }

    private static func answer(to words: [String], port: Int) -> String {
        guard let program = path(of: "redis-cli"),
            let outcome = try? ChildProcess.run(program, ["-p", "\(port)"] + words)
        else { return "" }
        return String(decoding: outcome.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs a command by `redis-cli` again and again, until the process that this returns is ended.
    ///
    /// - Parameter pause: the seconds between two runs.
    func runAgainAndAgain(_ words: String..., pause seconds: Double = 0) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path(of: "redis-cli") ?? "/nonexistent")
        process.arguments = ["-p", "\(port)", "-r", "-1", "-i", "\(seconds)"] + words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
