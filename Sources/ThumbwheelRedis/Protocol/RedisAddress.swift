/// Where a Redis server listens: a port, or a socket in the file system.
enum RedisAddress: Hashable, Sendable {
    case port(host: String, Int)
    case socket(path: String)
}

extension RedisAddress {
    /// The address of another server of a cluster, as `MOVED` and `ASK` name it: `host:port`, where an empty host is the
    /// host that answered.
    init?(_ text: Substring, from answering: RedisAddress) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            1...65_535 ~= port
        else { return nil }
        let host = text[..<colon]
        if !host.isEmpty {
            self = .port(host: String(host), port)
        } else if case .port(let host, _) = answering {
            self = .port(host: host, port)
        } else {
            return nil
        }
    }
}

extension RedisAddress {
    /// Whether nobody has to be asked where the server is: a host that is a number, or a socket.
    var isNumeric: Bool {
        guard case .port(let host, _) = self else { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return host.contains(":") || parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension RedisAddress: CustomStringConvertible {
    var description: String {
        switch self {
        case .port(let host, let port): "\(host):\(port)"
        case .socket(let path): path
        }
    }
}
