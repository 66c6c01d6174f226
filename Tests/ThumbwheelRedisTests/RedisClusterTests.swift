import Testing

@testable import ThumbwheelRedis

struct RedisClusterTests {
    @Test("slots are those of the specification, and a tag alone decides")
    func slots() {
        // Redis Cluster Specification: the CRC16 of "123456789" is 0x31C3.
        #expect(RedisSlot.number(of: Array("123456789".utf8)) == 0x31C3)
        #expect(
            RedisSlot.number(of: Array("{user1000}.following".utf8)) == RedisSlot.number(of: Array("user1000".utf8)))
        #expect(RedisSlot.number(of: Array("foo{{bar}}zap".utf8)) == RedisSlot.number(of: Array("{bar".utf8)))
        #expect(RedisSlot.number(of: Array("foo{bar}{zap}".utf8)) == RedisSlot.number(of: Array("bar".utf8)))
        // Nothing between the braces: the whole key counts.
        #expect(RedisSlot.number(of: Array("foo{}{bar}".utf8)) != RedisSlot.number(of: Array("bar".utf8)))
    }

    @Test("redirections are read, and what is none is none")
    func redirections() {
        let seed = RedisAddress.port(host: "10.0.0.1", 6379)
        #expect(
            RedisRedirection(.error("MOVED 3999 10.0.0.2:6381"), from: seed)
                == .moved(slot: 3999, to: .port(host: "10.0.0.2", 6381)))
        #expect(RedisRedirection(.error("ASK 3999 :6381"), from: seed) == .asked(.port(host: "10.0.0.1", 6381)))
        for text in ["MOVED", "MOVED 16384 a:1", "MOVED -1 a:1", "MOVED 1 a:0", "MOVED 1 a", "ERR 1 a:1"] {
            #expect(RedisRedirection(.error(text), from: seed) == nil, "\(text)")
        }
        #expect(RedisRedirection(.status("MOVED 1 a:1"), from: seed) == nil)
    }

    @Test("routes follow what servers tell, and go back to the first when a server is gone")
    func routes() {
        let (seed, other) = (RedisAddress.port(host: "a", 1), RedisAddress.port(host: "b", 2))
        var routes = RedisRoutes(seed: seed)
        routes.move(7, to: other)
        #expect(routes.server(of: 7) == other)
        #expect(routes.server(of: 8) == seed)
        routes.forget(other)
        #expect(routes.server(of: 7) == seed)
        // No more servers than a number of one byte tells apart.
        for number in 0..<260 { routes.move(number, to: .port(host: "c", number + 1)) }
        #expect(routes.server(of: 0) == .port(host: "c", 1))
        #expect(routes.server(of: 259) == seed)
        // A server without slots makes room.
        routes.forget(.port(host: "c", 100))
        routes.move(16_383, to: .port(host: "d", 1))
        #expect(routes.server(of: 16_383) == .port(host: "d", 1))
        #expect(routes.all.contains(.port(host: "d", 1)) && !routes.all.contains(.port(host: "c", 100)))
        // A slot of a server for which there is no room is no longer where it was.
        routes.move(0, to: .port(host: "e", 1))
        #expect(routes.server(of: 0) == seed)
        routes.move(2, to: seed)
        #expect(routes.server(of: 2) == seed)
    }

    @Test("addresses in every form")
    func urls() throws {
        let plain = try #require(RedisURL("redis://cache.example"))
        #expect(plain.address == .port(host: "cache.example", 6379))
        #expect(plain.greeting == [RedisCommand("PING")])
        let full = try #require(RedisURL("redis://me:secret@10.0.0.1:6380/2"))
        #expect(full.address == .port(host: "10.0.0.1", 6380))
        #expect(
            full.greeting == [RedisCommand("AUTH", "me", "secret"), RedisCommand("SELECT", "2"), RedisCommand("PING")])
        #expect("\(full)" == "10.0.0.1:6380")
        #expect(RedisURL("redis://:secret@h")?.greeting.first == RedisCommand("AUTH", "secret"))
        #expect(RedisURL("redis://[::1]:7000")?.address == .port(host: "::1", 7000))
        #expect(RedisURL("unix:///run/redis.sock?db=3")?.address == .socket(path: "/run/redis.sock"))
        for text in [
            "", "cache", "http://a", "redis://", "redis://a:99999", "redis://a/x", "unix://", "unix:///a?db=x",
        ] {
            #expect(RedisURL(text) == nil, "\(text)")
        }
    }
}
