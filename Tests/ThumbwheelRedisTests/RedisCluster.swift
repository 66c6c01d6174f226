import Foundation
import ThumbwheelCore

@testable import ThumbwheelRedis

/// Three real servers that form a cluster. Each has about a third of the slots.
final class RedisCluster {
    let servers: [RedisServer]
    private let clients: [RedisClient]

    /// Starts the servers, and waits until each of them knows the whole cluster.
    init() async throws {
        var (servers, ports): ([RedisServer], [Int]) = ([], [])
        while servers.count < 3 {
            // Somebody else may have taken a port that was free a moment ago.
            let (port, busPort) = (try Self.freePort(), try Self.freePort())
            guard
                let server = try? RedisServer(
                    port: port,
                    [
                        "--cluster-enabled", "yes", "--cluster-port", "\(busPort)",
                        // A server that is killed does not keep the others from answering for their own slots.
                        "--cluster-require-full-coverage", "no",
                        // On a busy machine a server may be silent for long, and does not count as dead for it.
                        "--cluster-node-timeout", "600000",
                    ])
            else { continue }
            servers.append(server)
            ports += [port, busPort]
        }
        self.servers = servers
        clients = servers.map { RedisClient($0.url, timeout: .seconds(600)) { .zero } }
        for (index, slots) in [(0, 5_460), (5_461, 10_922), (10_923, 16_383)].enumerated() {
            try await ask(index, "CLUSTER", "ADDSLOTSRANGE", "\(slots.0)", "\(slots.1)")
            // A server on its own begins with the same epoch as any other, and two with one epoch would have to agree first.
            try await ask(index, "CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)")
        }
        for index in 1..<3 {
            try await ask(0, "CLUSTER", "MEET", "127.0.0.1", "\(ports[2 * index])", "\(ports[2 * index + 1])")
        }
        for index in servers.indices {
            while true {
                let facts = try await text(index, "CLUSTER", "INFO")
                if facts.contains("cluster_state:ok"), facts.contains("cluster_slots_ok:16384"),
                    facts.contains("cluster_size:3")
                {
                    break
                }
            }
        }
    }

    deinit {
        for client in clients { client.close() }
    }

    /// A number at which nobody listens.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                return bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Sends a command to one of the servers, and follows no redirection.
    @discardableResult
    func ask(_ server: Int, _ words: String...) async throws -> RedisReply {
        try await ask(server, words.dropFirst().reduce(RedisCommand(words[0])) { $0.with($1) })
    }

    @discardableResult
    func ask(_ server: Int, _ command: RedisCommand) async throws -> RedisReply {
        let reply = await withCheckedContinuation { continuation in
            clients[server].send([command], for: []) { continuation.resume(returning: $0?.first) }
        }
        guard let reply, reply.errorText == nil else { throw RedisError.refused(reason: "\(command): \(reply as Any)") }
        return reply
    }

    func text(_ server: Int, _ words: String...) async throws -> String {
        let reply = try await ask(server, words.dropFirst().reduce(RedisCommand(words[0])) { $0.with($1) })
        return String(decoding: reply.value ?? [], as: UTF8.self)
    }

    /// How often all servers together have answered with an error of a name, such as `MOVED`.
    func errorCount(_ name: String) async throws -> Int {
        var count = 0
        for server in servers.indices {
            let facts = try await text(server, "INFO", "errorstats")
            for line in facts.split(whereSeparator: \.isNewline) where line.hasPrefix("errorstat_\(name):count=") {
                count += Int(line.drop { $0 != "=" }.dropFirst()) ?? 0
            }
        }
        return count
    }

    /// The numbers of keys on each server.
    func keyCounts() async throws -> [Int] {
        var counts: [Int] = []
        for server in servers.indices {
            guard case .integer(let count) = try await ask(server, "DBSIZE") else { throw RedisError.malformed }
            counts.append(count)
        }
        return counts
    }

    /// The server that has a slot from the start.
    func owner(of slot: Int) -> Int { slot <= 5_460 ? 0 : slot <= 10_922 ? 1 : 2 }
}
