/// Which server of a cluster has which slot, as far as servers have told. A server that is no cluster has all.
struct RedisRoutes: Sendable {
    private let seed: RedisAddress
    private var servers: [RedisAddress] = []
    /// For each slot the number of its server, from 1 on; 0 for the seed. Empty while nothing has been told.
    private var numbers: [UInt8] = []

    /// More servers than this are none that a cluster of thumbnails has.
    private static let most = 255

    init(seed: RedisAddress) { self.seed = seed }

    func server(of slot: Int) -> RedisAddress {
        guard !numbers.isEmpty, numbers[slot] > 0 else { return seed }
        return servers[Int(numbers[slot]) - 1]
    }

    /// All servers that have been told of, the first one included. Some may be gone.
    var all: [RedisAddress] { [seed] + servers }

    mutating func move(_ slot: Int, to server: RedisAddress) {
        if numbers.isEmpty { numbers = Array(repeating: 0, count: RedisSlot.count) }
        // Where there is no place for the server, the first one is asked, and sends on each time.
        numbers[slot] = server == seed ? 0 : UInt8((place(of: server) ?? -1) + 1)
    }

    /// The place of a server, which may be that of another that has no slot any more; nil if there is none.
    private mutating func place(of server: RedisAddress) -> Int? {
        if let place = servers.firstIndex(of: server) { return place }
        guard servers.count == Self.most else {
            servers.append(server)
            return servers.count - 1
        }
        let taken = Set(numbers)
        guard let place = servers.indices.first(where: { !taken.contains(UInt8($0 + 1)) }) else { return nil }
        servers[place] = server
        return place
    }

    /// Forgets what a server has, because it does not answer. Another server will tell who has its slots now.
    mutating func forget(_ server: RedisAddress) {
        guard let place = servers.firstIndex(of: server) else { return }
        for slot in numbers.indices where numbers[slot] == UInt8(place + 1) { numbers[slot] = 0 }
    }
}
