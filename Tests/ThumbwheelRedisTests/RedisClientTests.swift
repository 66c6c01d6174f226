import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// A client on servers that answer what a test says; the clock stands still unless the test moves it.
@Suite(.endsHangs) struct RedisClientTests {
    private func get(_ client: RedisClient, _ name: String) async -> RedisReply? {
        await send(client, ["GET", name], name)
    }

    private func send(_ client: RedisClient, _ words: [String], _ key: String) async -> RedisReply? {
        let command = words.dropFirst().reduce(RedisCommand(words[0])) { $0.with($1) }
        return await withCheckedContinuation { continuation in
            client.send([command], for: Array(key.utf8)) { continuation.resume(returning: $0?.first) }
        }
    }

    private func client(_ server: ScriptedServer) -> RedisClient {
        RedisClient(server.url, timeout: .milliseconds(40)) { .zero }
    }

    @Test("where a cluster says that a key is elsewhere the client goes there, and goes there first from then on")
    func moved() async throws {
        let owner = try ScriptedServer { $0[0] == "PING" ? "+PONG\r\n" : "$5\r\nhello\r\n" }
        let port = owner.port
        let first = try ScriptedServer { arguments in
            arguments[0] == "PING"
                ? "+PONG\r\n" : "-MOVED \(RedisSlot.number(of: Array("a".utf8))) 127.0.0.1:\(port)\r\n"
        }
        let client = client(first)
        #expect(await get(client, "a") == .bytes(Array("hello".utf8)))
        #expect(await get(client, "a") == .bytes(Array("hello".utf8)))
        #expect(first.commands == ["PING", "GET"])
        #expect(owner.commands == ["PING", "GET", "GET"])
        client.close()
    }

    @Test("a key that is on its way is asked for with ASKING, and the next time at the old place")
    func asked() async throws {
        let target = try ScriptedServer { arguments in
            switch arguments[0] {
            case "PING": "+PONG\r\n"
            case "ASKING": "+OK\r\n"
            default: "$1\r\nx\r\n"
            }
        }
        let port = target.port
        let first = try ScriptedServer { $0[0] == "PING" ? "+PONG\r\n" : "-ASK 1 127.0.0.1:\(port)\r\n" }
        let client = client(first)
        #expect(await get(client, "a") == .bytes([UInt8(ascii: "x")]))
        #expect(await get(client, "a") == .bytes([UInt8(ascii: "x")]))
        #expect(first.commands == ["PING", "GET", "GET"])
        #expect(target.commands == ["PING", "ASKING", "GET", "ASKING", "GET"])
        client.close()
    }

    @Test("servers that send a client in a circle, or to nowhere, end with no answer")
    func circles() async throws {
        let circle = try ScriptedServer { $0[0] == "PING" ? "+PONG\r\n" : "-MOVED 1 :\($0[1])\r\n" }
        let client = client(circle)
        #expect(await get(client, "\(circle.port)") == nil)
        #expect(circle.commands.count == 6)
        // Nobody listens at port 1.
        #expect(await get(client, "1") == nil)
        client.close()
    }

    @Test("when the first server of a cluster has failed, another one tells where slots are that nobody has told yet")
    func deadSeed() async throws {
        let pong = "+PONG\r\n"
        let last = try ScriptedServer { $0[0] == "PING" ? pong : "$4\r\nlast\r\n" }
        let lastPort = last.port
        let owner = try ScriptedServer { arguments in
            if arguments[0] == "PING" { return pong }
            guard arguments[1] != "a" else { return "$1\r\na\r\n" }
            // What is no answer of Redis makes a server one that has failed.
            guard arguments[1] != "die.a" else { return ":1x\r\n" }
            return "-MOVED \(RedisSlot.number(of: Array(arguments[1].utf8))) 127.0.0.1:\(lastPort)\r\n"
        }
        let ownerPort = owner.port
        let first = try ScriptedServer { arguments in
            if arguments[0] == "PING" { return pong }
            guard arguments[1] != "die" else { return ":1x\r\n" }
            return "-MOVED \(RedisSlot.number(of: Array(arguments[1].utf8))) 127.0.0.1:\(ownerPort)\r\n"
        }
        let client = client(first)
        #expect(await get(client, "a") == .bytes(Array("a".utf8)))
        #expect(await get(client, "die") == nil)
        #expect(client.failure == .malformed)
        for _ in 0..<2 { #expect(await get(client, "b") == .bytes(Array("last".utf8))) }
        #expect(owner.commands == ["PING", "GET", "GET"])
        // The slots of a second server that fails are asked for at the third.
        #expect(await send(client, ["GET", "die.a"], "a") == nil)
        #expect(await get(client, "a") == .bytes(Array("last".utf8)))
        #expect(first.commands == ["PING", "GET", "GET"])
        client.close()
    }

    @Test("all servers that are asked for a key have one time-out together, and a slow one makes no other fail")
    func deadlines() async throws {
        let time = Mutex(MonotonicTime.zero)
        let looked = Mutex<RedisClient?>(nil)
        let owner = try ScriptedServer { arguments in
            guard arguments[0] == "GET", arguments[1] == "slow" else {
                return arguments[0] == "PING" ? "+PONG\r\n" : "$1\r\nx\r\n"
            }
            // The first server has taken 19 milliseconds, and this one takes 21.
            time.withLock { $0 = $0.advanced(byMilliseconds: 21) }
            looked.withLock { $0 }?.wake()
            return ""
        }
        let port = owner.port
        let first = try ScriptedServer { arguments in
            guard arguments[0] != "PING" else { return "+PONG\r\n" }
            let milliseconds = arguments[1] == "slow" ? 19.0 : 21
            time.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
            return "-MOVED \(RedisSlot.number(of: Array(arguments[1].utf8))) 127.0.0.1:\(port)\r\n"
        }
        let client = RedisClient(first.url, timeout: .milliseconds(40)) { time.withLock { $0 } }
        looked.withLock { $0 = client }
        // The next server would have less than half a time-out, so it is asked only the next time.
        #expect(await get(client, "a") == nil)
        #expect(owner.commands == [])
        #expect(await get(client, "a") == .bytes(Array("x".utf8)))
        #expect(client.failureCount == 0)
        #expect(await get(client, "slow") == nil)
        #expect(time.withLock { $0 } == MonotonicTime.zero.advanced(byMilliseconds: 61))
        looked.withLock { $0 = nil }
        client.close()
    }

    @Test("what is no Redis is left alone, and no answer of it is taken for one")
    func wrongServers() async throws {
        for text in [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "\r\n", "$-9\r\n", "*99999999999\r\n", ":1x\r\n", "+a\r\n+b\r\n",
        ] {
            let server = try ScriptedServer { _ in text }
            let client = client(server)
            #expect(await get(client, "a") != .bytes([]), "\(text)")
            while client.failure == nil, await get(client, "a") != nil {}
            client.close()
        }
        let closing = try ScriptedServer { $0[0] == "PING" ? "-NOAUTH Authentication required.\r\n" : "" }
        let client = client(closing)
        #expect(await get(client, "a") == nil)
        #expect(client.failure == .refused(reason: "NOAUTH Authentication required."))
        client.close()
    }

    @Test("answers in pieces, empty values and errors are read as they are")
    func replies() async throws {
        let answers = ["empty": "$0\r\n\r\n", "none": "$-1\r\n", "error": "-ERR no\r\n", "list": "*2\r\n:1\r\n$-1\r\n"]
        let server = try ScriptedServer { $0[0] == "PING" ? "+PONG\r\n" : answers[$0[1]] ?? "" }
        let client = client(server)
        #expect(await get(client, "empty") == .bytes([]))
        #expect(await get(client, "none") == .null)
        #expect(await get(client, "error") == .error("ERR no"))
        #expect(await get(client, "list") == .array([.integer(1), .null]))
        client.close()
    }
}
