import TestSupport
import Testing
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// Stores on a cluster of three real servers, each store knowing only one of them. The clock stands still, so that nothing
/// times out.
@Suite(.endsHangs, .enabled(if: RedisServer.isInstalled, "redis-server is not installed"))
struct RedisClusterServerTests {
    private let clock = ManualClock()

    private func store(_ cluster: RedisCluster, _ server: Int) -> RedisStore {
        var configuration = RedisStore.Configuration(url: cluster.servers[server].url)
        configuration.queueByteLimit = .max
        return RedisStore(configuration) { [clock] in clock.now }
    }

    private func key(_ number: Int, group: Int) -> SharedKey {
        SharedKey(group: UInt64(group), key: StoreKey(high: 7, low: UInt64(number)))
    }

    private func value(_ number: Int) -> StoredValue {
        StoredValue((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* number) }, cost: UInt32(number))
    }

    private func lookUp(_ store: RedisStore, _ key: SharedKey) async -> SharedAnswer {
        await withCheckedContinuation { continuation in store.lookUp(key) { continuation.resume(returning: $0) } }
    }

    private func put(_ value: StoredValue, _ store: RedisStore, _ key: SharedKey) async {
        await withCheckedContinuation { continuation in store.put(value, for: key) { continuation.resume() } }
    }

    private func slot(_ store: RedisStore, _ group: Int) -> Int {
        RedisSlot.number(of: store.name(of: key(0, group: group)))
    }

    /// A group whose slot a server has.
    private func group(on server: Int, of cluster: RedisCluster, _ store: RedisStore) -> Int {
        (0...).first { cluster.owner(of: slot(store, $0)) == server }!
    }

    @Test("whichever server a store knows, it finds all values, and a photograph's images lie on one server")
    func values() async throws {
        let cluster = try await RedisCluster()
        let stores = (0..<3).map { store(cluster, $0) }
        let groups = 0..<40
        for group in groups {
            for number in 0..<3 { await put(value(number + group), stores[0], key(number, group: group)) }
        }
        #expect(stores[0].statistics.writes == 120)
        var expected = [0, 0, 0]
        for group in groups {
            let slot = slot(stores[0], group)
            for number in 0..<3 {
                let name = String(decoding: stores[0].name(of: key(number, group: group)), as: UTF8.self)
                #expect(try await cluster.ask(0, "CLUSTER", "KEYSLOT", name) == .integer(slot))
            }
            expected[cluster.owner(of: slot)] += 3
        }
        #expect(try await cluster.keyCounts() == expected)
        #expect(!expected.contains(0))
        for store in stores {
            for group in groups {
                for number in 0..<3 {
                    #expect(await lookUp(store, key(number, group: group)) == .found(value(number + group)))
                }
            }
        }
        // Each store was sent on once for each slot of another server, and not again.
        let elsewhere = stores.indices.map { server in
            Set(groups.map { slot(stores[0], $0) }.filter { cluster.owner(of: $0) != server }).count
        }
        #expect(try await cluster.errorCount("MOVED") == elsewhere.reduce(0, +))
        for store in stores {
            #expect(store.statistics.unanswered == 0 && store.statistics.failures == 0)
            store.close()
        }
    }

    @Test("while a slot moves to another server and afterwards, its values are found, written and claimed")
    func migration() async throws {
        let cluster = try await RedisCluster()
        let (one, other) = (store(cluster, 0), store(cluster, 2))
        let group = group(on: 0, of: cluster, one)
        let slot = "\(slot(one, group))"
        for number in 0..<2 { await put(value(number), one, key(number, group: group)) }
        let source = try await cluster.text(0, "CLUSTER", "MYID")
        let target = try await cluster.text(1, "CLUSTER", "MYID")
        try await cluster.ask(1, "CLUSTER", "SETSLOT", slot, "IMPORTING", source)
        try await cluster.ask(0, "CLUSTER", "SETSLOT", slot, "MIGRATING", target)
        // One value is on the new server, the other still on the old one.
        try await migrate(one.name(of: key(0, group: group)), in: cluster)
        for store in [one, other] {
            for number in 0..<2 { #expect(await lookUp(store, key(number, group: group)) == .found(value(number))) }
            #expect(await lookUp(store, key(2, group: group)) == .missing)
        }
        #expect(try await cluster.errorCount("ASK") == 4)
        // What is new goes to the new server.
        await put(value(2), one, key(2, group: group))
        #expect(await lookUp(other, key(2, group: group)) == .found(value(2)))
        #expect(try await cluster.keyCounts() == [1, 2, 0])
        try await checkClaim(one, other, key(3, group: group), value(3))
        try await migrate(one.name(of: key(1, group: group)), in: cluster)
        for server in [1, 0, 2] { try await cluster.ask(server, "CLUSTER", "SETSLOT", slot, "NODE", target) }
        let movedCount = try await cluster.errorCount("MOVED")
        for store in [one, other] {
            for number in 0..<4 { #expect(await lookUp(store, key(number, group: group)) == .found(value(number))) }
        }
        // Each store was told once where the slot is now.
        #expect(try await cluster.errorCount("MOVED") == movedCount + 2)
        try await checkClaim(one, other, key(4, group: group), value(4))
        for store in [one, other] {
            #expect(store.statistics.unanswered == 0 && store.statistics.failures == 0)
            store.close()
        }
    }

    /// Moves a key from the first server to the second.
    private func migrate(_ name: [UInt8], in cluster: RedisCluster) async throws {
        guard case .port(let host, let port) = cluster.servers[1].url.address else { throw RedisError.malformed }
        let command = RedisCommand("MIGRATE", host, "\(port)").with(name).with("0").with("60000")
        #expect(try await cluster.ask(0, command) == .status("OK"))
    }

    /// One server makes a value, and another that waits for it gets it.
    private func checkClaim(
        _ one: RedisStore, _ other: RedisStore, _ key: SharedKey, _ value: StoredValue
    ) async throws {
        let answers = (0..<2).map { _ in PendingAnswer<SharedClaimAnswer>() }
        let first = one.claim(key, lifetime: .seconds(1_000)) { answers[0].receive($0) }
        let answer = await answers[0].answer
        // Nobody waits for a claim that was not won.
        try #require(answer == .won)
        let second = other.claim(key, lifetime: .seconds(1_000)) { answers[1].receive($0) }
        while other.subscriptions.channelCount == 0 { await Task.yield() }
        await put(value, one, key)
        first.end()
        #expect(await answers[1].answer == .found(value))
        second.end()
    }

    @Test("a server that dies costs only the values of its own slots")
    func death() async throws {
        let cluster = try await RedisCluster()
        let store = store(cluster, 0)
        let groups = (0..<3).map { group(on: $0, of: cluster, store) }
        for group in groups { await put(value(group), store, key(1, group: group)) }
        cluster.servers[1].stop()
        while await lookUp(store, key(1, group: groups[1])) != .unavailable {}
        for server in [0, 2] {
            #expect(await lookUp(store, key(1, group: groups[server])) == .found(value(groups[server])))
        }
        // The server that the store knows still sends it to the one that is gone, which is not asked again so soon.
        #expect(await lookUp(store, key(1, group: groups[1])) == .unavailable)
        #expect(store.statistics.failures == 1)
        store.close()
    }
}
