import Foundation

/// The address of a Redis server, with the password and the number of the database, as clients of Redis write it.
///
/// | form | server |
/// | --- | --- |
/// | `redis://host`, `redis://host:6380` | a port; 6379 unless another is given |
/// | `redis://:password@host/2`, `redis://user:password@host` | with a password, a user, the number of a database |
/// | `unix:///run/redis.sock`, `unix:///run/redis.sock?db=2` | a socket in the file system |
///
/// There is no TLS: a server on another machine is reached over a network that is trusted, or through a tunnel.
public struct RedisURL: Hashable, Sendable {
    let address: RedisAddress
    let user: String?
    let password: String?
    let database: Int

    /// Reads an address; nil if it has none of the forms above.
    public init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme else { return nil }
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        switch scheme {
        case "redis":
            guard let host = parts.host, !host.isEmpty, let port = parts.port ?? 6379 as Int?, 1...65_535 ~= port,
                let database = Self.number(of: parts.path.drop { $0 == "/" })
            else { return nil }
            // An IPv6 address stands in brackets.
            address = .port(host: host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")), port)
            self.database = database
        case "unix":
            let number = parts.queryItems?.first { $0.name == "db" }?.value ?? ""
            guard !parts.path.isEmpty, (parts.host ?? "").isEmpty, let database = Self.number(of: number[...]) else {
                return nil
            }
            address = .socket(path: parts.path)
            self.database = database
        default: return nil
        }
    }

    private static func number(of text: Substring) -> Int? {
        text.isEmpty ? 0 : Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The commands with which a connection begins. The last is `PING`, whose answer proves that the server answers.
    var greeting: [RedisCommand] {
        var commands: [RedisCommand] = []
        if let password {
            commands.append(user.map { RedisCommand("AUTH", $0, password) } ?? RedisCommand("AUTH", password))
        }
        if database != 0 { commands.append(RedisCommand("SELECT", "\(database)")) }
        commands.append(RedisCommand("PING"))
        return commands
    }
}

extension RedisURL: CustomStringConvertible {
    /// The address without user and password, which belong in no log.
    public var description: String { "\(address)" }
}
