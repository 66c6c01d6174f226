import Foundation
import TestSupport
import Testing
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// A store on a real Redis. Time-outs are those of a machine that may be very busy, unless a test moves the clock.
@Suite(.endsHangs, .enabled(if: RedisServer.isInstalled, "redis-server is not installed"))
struct RedisStoreTests {
    private func store(
        _ server: RedisServer, clock: ManualClock = ManualClock(),
        _ configure: (inout RedisStore.Configuration) -> Void = { _ in }
    ) -> RedisStore {
        var configuration = RedisStore.Configuration(url: server.url)
        configure(&configuration)
        return RedisStore(configuration) { clock.now }
    }

    private func key(_ number: Int, group: UInt64 = 1) -> SharedKey {
        SharedKey(group: group, key: StoreKey(high: 7, low: UInt64(number)))
    }

    private func value(_ number: Int, byteCount: Int = 12_288) -> StoredValue {
        StoredValue((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* number) }, cost: UInt32(number))
    }

    private func lookUp(_ store: RedisStore, _ key: SharedKey) async -> SharedAnswer {
        await withCheckedContinuation { continuation in store.lookUp(key) { continuation.resume(returning: $0) } }
    }

    @Test("values come back as they were put, also to another process, and others are missing")
    func values() async throws {
        let server = try RedisServer()
        // All are put at once, which may be faster than the connection.
        let (one, other) = (store(server) { $0.queueByteLimit = .max }, store(server))
        for number in 0..<200 { one.put(value(number), for: key(number)) {} }
        one.put(StoredValue([1, 2], isNegative: true), for: key(1_000)) {}
        one.put(StoredValue([]), for: key(1_001)) {}
        // Answers come in order, so this one comes after all writes.
        #expect(await lookUp(one, key(2_000)) == .missing)
        for number in 0..<200 { #expect(await lookUp(other, key(number)) == .found(value(number))) }
        #expect(await lookUp(other, key(1_000)) == .found(StoredValue([1, 2], isNegative: true)))
        #expect(await lookUp(other, key(1_001)) == .found(StoredValue([])))
        #expect(await lookUp(other, key(5, group: 2)) == .missing)
        #expect(one.statistics.writes == 202)
        #expect(other.statistics.hits == 202)
        #expect(other.statistics.misses == 1)
        one.close()
        other.close()
        #expect(await lookUp(one, key(1)) == .unavailable)
    }

    @Test("values that are too large, or too many at once, are dropped")
    func bounds() async throws {
        let server = try RedisServer()
        let store = store(server) { $0.queueByteLimit = 200_000 }
        store.put(value(1, byteCount: (64 << 10) + 1), for: key(1)) {}
        #expect(store.statistics.drops == 1)
        server.signal(SIGSTOP)
        for number in 0..<100 { store.put(value(number), for: key(number)) {} }
        // 84 are beyond the bound. The server may still answer some commands before it stands still, which makes room.
        #expect(store.statistics.drops > 40)
        server.signal(SIGCONT)
        #expect(await lookUp(store, key(0)) == .found(value(0)))
        #expect(await lookUp(store, key(99)) == .missing)
        store.close()
    }

    @Test("a value that was damaged, or lies under another key, is not given to anybody")
    func lies() async throws {
        let server = try RedisServer()
        let store = store(server)
        store.put(value(1), for: key(1)) {}
        #expect(await lookUp(store, key(1)) == .found(value(1)))
        let client = RedisClient(server.url, timeout: .seconds(60))
        let names = await send(client, RedisCommand("KEYS", "*"))
        guard case .array(let keys)? = names, let name = keys.first?.value else {
            Issue.record("no key")
            return
        }
        #expect(
            String(decoding: name, as: UTF8.self) == "thumbwheel:{0000000000000001}:00000000000000070000000000000001")
        let bytes = await send(client, RedisCommand("GET").with(name))?.value ?? []
        for place in [0, 1, 2, 6, 14, bytes.count - 1] {
            var damaged = bytes
            damaged[place] ^= 4
            _ = await send(client, RedisCommand("SET").with(name).with(damaged))
            #expect(await lookUp(store, key(1)) == .missing, "byte \(place)")
        }
        for text in ["", "x"] {
            _ = await send(client, RedisCommand("SET").with(name).with(text))
            #expect(await lookUp(store, key(1)) == .missing)
        }
        // A list lies where the value should be.
        _ = await send(client, RedisCommand("DEL").with(name))
        _ = await send(client, RedisCommand("RPUSH").with(name).with("a"))
        #expect(await lookUp(store, key(1)) == .unavailable)
        // The value of another key.
        _ = await send(client, RedisCommand("DEL").with(name))
        var other = name
        other[other.count - 1] = UInt8(ascii: "2")
        _ = await send(client, RedisCommand("SET").with(other).with(bytes))
        #expect(await lookUp(store, key(2)) == .missing)
        #expect(store.statistics.damaged == 9)
        store.close()
        client.close()
    }

    @Test("a Redis that hangs costs one time-out; one that is gone costs nothing; it comes back by itself")
    func faults() async throws {
        let server = try RedisServer()
        let clock = ManualClock()
        let store = store(server, clock: clock)
        store.put(value(1), for: key(1)) {}
        #expect(await lookUp(store, key(1)) == .found(value(1)))
        server.signal(SIGSTOP)
        // Each look-up waits until the clock is moved, and no longer. The signal may take a while to have its effect.
        var last = SharedAnswer.missing
        while last != .unavailable {
            let hanging = PendingAnswer<SharedAnswer>()
            store.lookUp(key(1)) { hanging.receive($0) }
            clock.advance(store, by: 41)
            last = await hanging.answer
        }
        #expect(store.statistics.failure == "Redis has not answered in time.")
        #expect(await lookUp(store, key(1)) == .unavailable)
        server.signal(SIGCONT)
        await recover(store, clock)
        #expect(await lookUp(store, key(1)) == .found(value(1)))
        server.stop()
        while await lookUp(store, key(1)) != .unavailable {}
        #expect(store.statistics.failure != nil)
        try server.start()
        await recover(store, clock)
        #expect(await lookUp(store, key(1)) == .missing)
        store.close()
    }

    /// Moves the clock beyond the longest rest, and waits until the server has answered.
    private func recover(_ store: RedisStore, _ clock: ManualClock) async {
        clock.advance(store, by: 11_000)
        while store.statistics.failure != nil { await Task.yield() }
    }

    @Test("a Redis that is full and evicts nothing, and one that wants a password, fail nobody")
    func refusals() async throws {
        let full = try RedisServer(["--maxmemory", "1", "--maxmemory-policy", "noeviction"])
        let one = store(full)
        one.put(value(1), for: key(1)) {}
        #expect(await lookUp(one, key(1)) == .missing)
        #expect(one.statistics.drops == 1)
        let locked = try RedisServer(["--requirepass", "secret"])
        let other = store(locked)
        #expect(await lookUp(other, key(1)) == .unavailable)
        #expect(other.statistics.failure?.contains("NOAUTH") ?? false)
        one.close()
        other.close()
    }

    @Test("looking after a store counts its values, removes the damaged, and empties it, but nothing of others")
    func maintenance() async throws {
        let server = try RedisServer()
        let store = store(server) {
            $0.queueByteLimit = .max
            $0.prefix = "thumb[x]*"
        }
        let client = RedisClient(server.url, timeout: .seconds(60))
        _ = await send(client, RedisCommand("SET", "other", "value"))
        _ = await send(client, RedisCommand("SET", "thumbx:{0}:0", "value"))
        #expect(try await store.contents().entryCount == 0)
        for number in 0..<600 { store.put(value(number, byteCount: 100), for: key(number, group: UInt64(number))) {} }
        store.put(StoredValue([1, 2], isNegative: true), for: key(1_000)) {}
        let won = await withCheckedContinuation { continuation in
            _ = store.claim(key(2_000), lifetime: .seconds(60)) { continuation.resume(returning: $0) }
        }
        #expect(won == .won)
        var contents = try await store.contents()
        #expect(contents.entryCount == 601)
        #expect(contents.valueByteCount == 60_002)
        #expect(contents.negativeCount == 1)
        #expect(contents.isBounded && contents.evictionPolicy == "allkeys-lru" && contents.byteLimit == 32 << 20)
        #expect(contents.usedByteCount > contents.valueByteCount)
        for number in [3, 77] {
            let name = store.name(of: key(number, group: UInt64(number)))
            _ = await send(client, RedisCommand("SETRANGE").with(name).with("20").with("x"))
        }
        contents = try await store.verify()
        #expect(contents.damagedCount == 2)
        #expect(contents.entryCount == 599)
        #expect(try await store.verify().damagedCount == 0)
        try await store.removeAll()
        #expect(try await store.contents().entryCount == 0)
        #expect(await send(client, RedisCommand("DBSIZE")) == .integer(2))
        store.close()
        client.close()
        await #expect(throws: RedisError.self) { try await store.contents() }
    }

    @Test("looking after a store may take longer than a look-up, and keeps no look-up from the server")
    func slowMaintenance() async throws {
        let clock = ManualClock()
        let looked = Mutex<RedisStore?>(nil)
        let server = try ScriptedServer { arguments in
            guard arguments[0] != "PING" else { return "+PONG\r\n" }
            guard arguments[0] != "GET" else { return "$-1\r\n" }
            // Each answer of this server takes five seconds.
            if let store = looked.withLock({ $0 }) { clock.advance(store, by: 5_000) }
            return arguments[0] == "SCAN" ? "*2\r\n$1\r\n0\r\n*0\r\n" : "$0\r\n\r\n"
        }
        let store = RedisStore(RedisStore.Configuration(url: server.url)) { clock.now }
        looked.withLock { $0 = store }
        #expect(try await store.verify().entryCount == 0)
        #expect(clock.now >= MonotonicTime.zero.advanced(byMilliseconds: 15_000))
        #expect(await lookUp(store, key(1)) == .missing)
        #expect(store.statistics.failures == 0)
        looked.withLock { $0 = nil }
        store.close()
    }

    private func send(_ client: RedisClient, _ command: RedisCommand) async -> RedisReply? {
        await withCheckedContinuation { continuation in
            client.send([command], for: Array("any".utf8)) { continuation.resume(returning: $0?.first) }
        }
    }
}
