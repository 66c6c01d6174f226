import Foundation
import TestSupport

@testable import ThumbwheelRedis

/// Debian's `redis-server`, started for one test on a socket or a port of its own, with as much memory as a cache has that
/// throws away what is used least.
final class RedisServer {
    static let path = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isInstalled: Bool { path != nil }

    let url: RedisURL
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tw-\(UUID().uuidString.prefix(8))")
    private let arguments: [String]
    private var process: Process?

    /// - Parameter port: nil for a socket in a folder of its own.
    init(port: Int? = nil, _ options: [String] = []) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let socket = folder.appendingPathComponent("redis.sock").path
        url = try requireURL(port.map { "redis://127.0.0.1:\($0)" } ?? "unix://\(socket)")
        arguments =
            ["--port", "\(port ?? 0)", "--bind", "127.0.0.1", "--dir", folder.path, "--save", "", "--appendonly", "no"]
            + ["--maxmemory", "32mb", "--maxmemory-policy", "allkeys-lru"]
            + (port == nil ? ["--unixsocket", socket] : []) + options
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server, or starts it again, and waits until it listens.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path!)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        let output = try ProcessStart.perform {
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            return output
        }
        self.process = process
        var text = ""
        while !text.contains("eady to accept connections") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { throw CocoaError(.executableLoad) }
            text += String(decoding: bytes, as: UTF8.self)
        }
        // Later texts of the server are of no use, and must not fill the pipe. It goes on without a reader.
        try output.fileHandleForReading.close()
    }

    /// Kills the server.
    func stop() {
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Has the server hang, or go on.
    func signal(_ signal: Int32) {
        if let process { kill(process.processIdentifier, signal) }
    }
}

private func requireURL(_ text: String) throws -> RedisURL {
    guard let url = RedisURL(text) else { throw CocoaError(.fileReadInvalidFileName) }
    return url
}
