import Dispatch
import TestSupport
import Testing
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// A connection to a scripted server, on a system that gives no threads or pipes for a while.
@Suite(.endsHangs) struct RedisConnectionTests {
    /// A system that refuses, and counts the threads that run.
    private final class PoorSystem: Sendable {
        private struct State {
            var refusesPipes = false
            var refusesThreads = false
            var threadCount = 0
        }

        private let state = Mutex(State())

        func set(refusesPipes: Bool = false, refusesThreads: Bool = false) {
            state.withLock { ($0.refusesPipes, $0.refusesThreads) = (refusesPipes, refusesThreads) }
        }

        var threadCount: Int { state.withLock { $0.threadCount } }

        var system: RedisConnection.System {
            RedisConnection.System(
                makePipe: { [self] in state.withLock { $0.refusesPipes } ? nil : WakePipe() },
                startThread: { [self] body in
                    guard !state.withLock({ $0.refusesThreads }) else { return false }
                    state.withLock { $0.threadCount += 1 }
                    return DetachedThread.start(named: "connection") { [self] in
                        body()
                        state.withLock { $0.threadCount -= 1 }
                    }
                })
        }
    }

    private let poor = PoorSystem()
    private let clock = ManualClock()
    /// What the search for a host's address waits for.
    private let gate = DispatchSemaphore(value: 0)
    private let search = PendingAnswer<Void>()

    private func connection(
        _ server: ScriptedServer, named host: String? = nil, subscriptions: RedisConnection.Subscriptions? = nil,
        endsUnwanted: Bool = false
    ) -> RedisConnection {
        var system = poor.system
        system.resolve = { [gate, search, address = server.url.address] _, _ in
            search.receive(())
            gate.wait()
            return .success([address])
        }
        return RedisConnection(
            host.map { .port(host: $0, 6_379) } ?? server.url.address, greeting: [RedisCommand("PING")],
            timeout: .milliseconds(40),
            subscriptions: subscriptions, endsUnwanted: endsUnwanted, system: system
        ) { [clock] in clock.now }
    }

    private func get(_ connection: RedisConnection, _ name: String = "a") async -> RedisReply? {
        await withCheckedContinuation { continuation in
            connection.send([RedisCommand("GET", name)]) { continuation.resume(returning: $0?.first) }
        }
    }

    private func server() throws -> ScriptedServer {
        try ScriptedServer { arguments in
            arguments[0] == "PING" ? "+PONG\r\n" : arguments[1] == "die" ? ":1x\r\n" : "$1\r\nx\r\n"
        }
    }

    @Test(
        "a connection that got no pipe or no thread has failed, and works once there are some",
        arguments: [true, false])
    func refusals(ofPipe: Bool) async throws {
        let server = try server()
        let connection = connection(server)
        poor.set(refusesPipes: ofPipe, refusesThreads: !ofPipe)
        #expect(await get(connection) == nil)
        #expect(connection.failure == .disconnected(reason: ofPipe ? "no file descriptor" : "no thread"))
        #expect(connection.failureCount == 1)
        poor.set()
        // Not before the rest is over.
        #expect(await get(connection) == nil)
        #expect(poor.threadCount == 0)
        clock.advance(by: 101)
        #expect(await get(connection) == nil)
        while connection.failure != nil { await Task.yield() }
        #expect(await get(connection) == .bytes(Array("x".utf8)))
        connection.close()
        while poor.threadCount > 0 { await Task.yield() }
    }

    @Test("while the system looks for a host's address, whoever waits is answered in time; then the address is used")
    func names() async throws {
        let server = try server()
        let connection = connection(server, named: "cache.example")
        let pending = PendingAnswer<[RedisReply]?>()
        connection.send([RedisCommand("GET", "a")]) { pending.receive($0) }
        await search.answer
        clock.advance(by: 41)
        connection.wake()
        #expect(await pending.answer == nil)
        #expect(connection.failure == .timedOut)
        gate.signal()
        clock.advance(by: 101)
        connection.wake()
        while connection.failure != nil { await Task.yield() }
        #expect(await get(connection) == .bytes(Array("x".utf8)))
        connection.close()
    }

    @Test("numbers are told from names, and the system knows the addresses of the loopback interface")
    func numbers() throws {
        for host in ["127.0.0.1", "::1", "fe80::1%lo"] { #expect(RedisAddress.port(host: host, 1).isNumeric) }
        #expect(RedisAddress.socket(path: "/a").isNumeric)
        for host in ["localhost", "1.2.3", "1.2.3.256", "1.2.3.", "a.b.c.d"] {
            #expect(!RedisAddress.port(host: host, 1).isNumeric, "\(host)")
        }
        #expect(try RedisResolution.ask(host: "127.0.0.1", port: 7).get() == [.port(host: "127.0.0.1", 7)])
        #expect(try !RedisResolution.ask(host: "localhost", port: 7).get().isEmpty)
    }

    @Test("a connection to a server that is gone ends its thread, and begins again when somebody asks")
    func unwanted() async throws {
        let server = try server()
        let connection = connection(server, endsUnwanted: true)
        #expect(await get(connection, "die") == nil)
        #expect(poor.threadCount == 1 && !connection.isDormant)
        clock.advance(by: 60_041)
        connection.wake()
        while poor.threadCount > 0 { await Task.yield() }
        #expect(connection.isDormant)
        #expect(server.commands == ["PING", "GET"])
        #expect(await get(connection) == nil)
        while connection.failure != nil { await Task.yield() }
        #expect(await get(connection) == .bytes(Array("x".utf8)))
        connection.close()
        while poor.threadCount > 0 { await Task.yield() }
    }

    @Test("a subscription that is refused, or has no thread, has failed and leaves no listener")
    func subscriptions() async throws {
        let server = try ScriptedServer { arguments in
            switch arguments[0] {
            case "PING": "+PONG\r\n"
            case "SUBSCRIBE": "-NOPERM this user has no permissions to access the channel\r\n"
            default: "*3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n"
            }
        }
        for refusesThreads in [false, true] {
            let subscriptions = RedisSubscriptions { connection(server, subscriptions: $0) }
            poor.set(refusesThreads: refusesThreads)
            let isConfirmed = await withCheckedContinuation { continuation in
                let pending = Mutex<CheckedContinuation<Bool, Never>?>(continuation)
                _ = subscriptions.add(
                    RedisSubscriptions.Listener(
                        subscribed: { pending.withLock { $0.take() }?.resume(returning: true) }, notified: { _ in },
                        failed: { pending.withLock { $0.take() }?.resume(returning: false) }),
                    to: Array("a".utf8))
            }
            #expect(!isConfirmed)
            #expect(subscriptions.channelCount == 0)
            subscriptions.close()
        }
    }

    @Test("whose subscription is refused makes the value itself, and does not wait for a message that cannot come")
    func claims() async throws {
        let server = try ScriptedServer { arguments in
            switch arguments[0] {
            case "PING": "+PONG\r\n"
            case "SUBSCRIBE": "-NOPERM this user has no permissions to access the channel\r\n"
            default: "$-1\r\n"
            }
        }
        let store = RedisStore(RedisStore.Configuration(url: server.url)) { .zero }
        let answer = await withCheckedContinuation { continuation in
            _ = store.claim(SharedKey(group: 1, key: StoreKey(high: 1, low: 1)), lifetime: .seconds(60)) {
                continuation.resume(returning: $0)
            }
        }
        #expect(answer == .unavailable)
        #expect(store.subscriptions.channelCount == 0)
        store.close()
    }
}
