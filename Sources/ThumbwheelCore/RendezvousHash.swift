#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Chooses, for each name, one of several servers, so that all who know the same servers choose alike without talking to each
/// other (D. Thaler and C. Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", 1998).
///
/// Servers that all render photographs do best if the requests for one photograph come to one of them: its sizes share decodes
/// and cached images there. If a server goes, only its own names move, and they spread over all others.
public struct RendezvousHash: Sendable {
    /// A server, and the share of the names that it gets.
    public struct Server: Sendable, Hashable {
        /// The server's name. It decides, together with the names to distribute, who gets what.
        public var name: String
        /// The server's share beside those of the others, above 0.
        public var weight: Double

        /// Describes a server.
        public init(name: String, weight: Double = 1) {
            self.name = name
            self.weight = weight
        }
    }

    /// The servers, in the order in which they were given. The order makes no difference.
    public let servers: [Server]

    /// Makes a hash over servers. Servers whose weight is not above 0 get no names.
    public init(_ servers: [Server]) {
        self.servers = servers
    }

    /// Makes a hash over servers with equal shares.
    public init(names: [String]) {
        self.init(names.map { Server(name: $0) })
    }

    /// The server that a name belongs to; nil if there is none.
    ///
    /// - Complexity: linear in the number of servers.
    public func owner(of name: String) -> Server? {
        let name = Array(name.utf8)
        return servers.filter { $0.weight > 0 }.max { score(of: $0, name) < score(of: $1, name) }
    }

    /// The servers for a name, its owner first, and then those that take over one after another.
    ///
    /// - Complexity: O(n log n) in the number of servers.
    public func preference(of name: String) -> [Server] {
        let name = Array(name.utf8)
        return servers.filter { $0.weight > 0 }.map { ($0, score(of: $0, name)) }.sorted { $0.1 > $1.1 }.map(\.0)
    }

    /// A number that is different for each pair of a server and a name. The server with the highest one gets the name. With the
    /// logarithm, each server is the highest as often as its weight says.
    private func score(of server: Server, _ name: [UInt8]) -> Double {
        // The length keeps apart what the end of one and the beginning of the other could be mistaken for.
        let bytes = Array(server.name.utf8)
        let hash = XXHash64.digest(bytes + withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) } + name)
        let fraction = (Double(hash >> 11) + 0.5) / Double(1 << 53 as UInt64)
        return server.weight / -log(fraction)
    }
}
