import Foundation
import TestSupport

/// A `redis-server` of one test, on a socket in the test's folder.
final class SmallRedis {
    private static let path = [
        "/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isInstalled: Bool { path != nil }

    /// The address, as the command line takes it.
    let address: String
    private let process = Process()

    /// Starts the server, and waits until it listens.
    init(in folder: TemporaryFolder) throws {
        let socket = folder.file("redis.sock")
        address = "unix://\(socket)"
        process.executableURL = URL(fileURLWithPath: Self.path!)
        process.arguments =
            ["--port", "0", "--unixsocket", socket, "--dir", folder.path, "--save", "", "--appendonly", "no"]
            + ["--maxmemory", "32mb", "--maxmemory-policy", "allkeys-lru"]
        process.standardError = FileHandle.nullDevice
        let output = try ProcessStart.perform { [process] in
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            return output
        }
        var text = ""
        while !text.contains("eady to accept connections") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { throw CocoaError(.executableLoad) }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
