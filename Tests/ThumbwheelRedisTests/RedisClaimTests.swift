import Foundation
import TestSupport
import Testing
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// Claims over a real Redis, on a clock that stands still, so that nothing times out.
@Suite(.endsHangs, .enabled(if: RedisServer.isInstalled, "redis-server is not installed"))
struct RedisClaimTests {
    private let clock = ManualClock()

    private func store(_ server: RedisServer) -> RedisStore {
        RedisStore(RedisStore.Configuration(url: server.url)) { [clock] in clock.now }
    }

    private func key(_ number: Int) -> SharedKey { SharedKey(group: 3, key: StoreKey(high: 1, low: UInt64(number))) }

    /// A claim, and the answer that it gets.
    private final class Asked: Sendable {
        private let pending = PendingAnswer<SharedClaimAnswer>()
        private let claim = Mutex<(any SharedClaim)?>(nil)

        init(_ store: RedisStore, _ key: SharedKey) {
            let made = store.claim(key, lifetime: .seconds(1_000)) { [pending] in pending.receive($0) }
            claim.withLock { $0 = made }
        }

        var answer: SharedClaimAnswer { get async { await pending.answer } }

        func end() { claim.withLock { $0 }?.end() }

        func endWithoutValue() { claim.withLock { $0 }?.endWithoutValue() }
    }

    @Test("eight servers claim, one renders, and the others get what it has made, every time")
    func eight() async throws {
        let server = try RedisServer()
        let stores = (0..<8).map { _ in store(server) }
        for round in 0..<200 {
            let key = key(round)
            let value = StoredValue(Array(repeating: UInt8(truncatingIfNeeded: round), count: 500))
            let makeCount = await withTaskGroup(of: Int.self) { group in
                for store in stores {
                    group.addTask {
                        let claim = Asked(store, key)
                        let answer = await claim.answer
                        guard answer == .won else {
                            #expect(answer == .found(value), "round \(round)")
                            return 0
                        }
                        store.put(value, for: key) {}
                        claim.end()
                        return 1
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(makeCount == 1, "round \(round)")
        }
        while stores.contains(where: { $0.subscriptions.channelCount > 0 }) { await Task.yield() }
        for store in stores { store.close() }
    }

    @Test("a server that gives up lets the next one make it; one that waits no longer is answered at once")
    func givingUp() async throws {
        let server = try RedisServer()
        let stores = (0..<3).map { _ in store(server) }
        let first = Asked(stores[0], key(1))
        #expect(await first.answer == .won)
        let second = Asked(stores[1], key(1))
        let third = Asked(stores[2], key(1))
        third.end()
        #expect(await third.answer == .unavailable)
        first.end()
        #expect(await second.answer == .won)
        second.end()
        second.end()
        let again = Asked(stores[2], key(1))
        #expect(await again.answer == .won)
        for store in stores { store.close() }
    }

    @Test("where a value cannot be kept, all who wait for it are told at once to make their own")
    func unstorable() async throws {
        let server = try RedisServer()
        let stores = (0..<4).map { _ in store(server) }
        let first = Asked(stores[0], key(1))
        #expect(await first.answer == .won)
        let others = stores.dropFirst().map { Asked($0, key(1)) }
        for store in stores.dropFirst() {
            while store.subscriptions.channelCount == 0 { await Task.yield() }
        }
        first.endWithoutValue()
        await withTaskGroup(of: Void.self) { group in
            for other in others {
                group.addTask {
                    let answer = await other.answer
                    // Who was not yet waiting may win the claim instead.
                    #expect(answer == .unavailable || answer == .won)
                    if answer == .won { other.endWithoutValue() }
                }
            }
        }
        for store in stores { store.close() }
    }

    @Test("who waits for a server when Redis goes away makes the value itself")
    func lost() async throws {
        let server = try RedisServer()
        let stores = (0..<2).map { _ in store(server) }
        let first = Asked(stores[0], key(1))
        #expect(await first.answer == .won)
        let second = Asked(stores[1], key(1))
        while stores[1].subscriptions.channelCount == 0 { await Task.yield() }
        server.stop()
        #expect(await second.answer == .unavailable)
        first.end()
        for store in stores { store.close() }
    }
}
