import Foundation
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelRedis

/// The store that servers share, on a Redis of its own over the loopback interface; nothing where none is installed.
struct RedisBench {
    private static let byteCount = 12 << 10
    private static let valueCount = 2_000
    private static let claimCount = 200
    private static let serverCount = 8

    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    func rows() async throws -> [BenchRow] {
        guard RedisProcess.isInstalled else { return [] }
        let server = try RedisProcess()
        progress.show("redis: hits")
        var rows = await hits(server)
        progress.show("redis: claims")
        rows += try await claims(server)
        if !options.photographs.isEmpty {
            progress.show("redis: renders on eight servers")
            rows += try renders(server)
            rows += try RedisFaultBench(options, progress).rows()
        }
        return rows
    }

    private func store(_ server: RedisProcess) -> RedisStore {
        var configuration = RedisStore.Configuration(url: server.url)
        configuration.timeout = .seconds(2)
        return RedisStore(configuration)
    }

    private func key(_ number: Int) -> SharedKey {
        SharedKey(group: UInt64(number), key: StoreKey(high: options.seed, low: UInt64(number)))
    }

    private func lookUp(_ key: SharedKey, in store: RedisStore) async -> SharedAnswer {
        await withCheckedContinuation { continuation in store.lookUp(key) { continuation.resume(returning: $0) } }
    }

    // MARK: Hits

    private func hits(_ server: RedisProcess) async -> [BenchRow] {
        let store = store(server)
        defer { store.close() }
        for number in 0..<Self.valueCount {
            let value = StoredValue(Array(repeating: UInt8(truncatingIfNeeded: number), count: Self.byteCount))
            await withCheckedContinuation { continuation in
                store.put(value, for: key(number)) { continuation.resume() }
            }
        }
        var (p50, p99): ([Double], [Double]) = ([], [])
        for _ in 0..<options.rounds {
            var times: [Double] = []
            for number in 0..<Self.valueCount {
                let (time, answer) = await Stopwatch.asyncMilliseconds { await lookUp(key(number), in: store) }
                Stopwatch.consume(answer)
                times.append(time * 1_000)
            }
            times.sort()
            p50.append(times[times.count / 2])
            p99.append(times[times.count * 99 / 100])
        }
        return [
            BenchRow("redis.hit.p50", unit: "microseconds", rounds: p50, operations: Self.valueCount),
            BenchRow("redis.hit.p99", unit: "microseconds", rounds: p99, operations: Self.valueCount),
        ]
    }

    // MARK: Renders

    /// The renders of each rendition that several servers want at the same time, each server a process. Photographs that are
    /// cut short, or that a server has failed to render, are left out; the number of these tells how much that hides.
    private func renders(_ server: RedisProcess) throws -> [BenchRow] {
        let servers = try BenchServers(
            count: Self.serverCount, photographs: options.photographPaths, redis: server.address)
        var (rounds, failures): ([Double], [Double]) = ([], [])
        for round in 0..<options.rounds {
            var (renderCount, renditionCount, failedCount) = (0, 0, 0)
            for photograph in options.photographs.indices {
                let order = BenchServerOrder(photograph: photograph, side: 240 + round)
                let answers = try servers.answers { _ in [order] }.joined()
                failedCount += answers.contains { $0.origin == .failed } ? 1 : 0
                guard !answers.contains(where: { [.partial, .failed].contains($0.origin) }) else { continue }
                renderCount += answers.count { $0.origin != .shared }
                renditionCount += 1
            }
            rounds.append(Double(renderCount) / Double(max(1, renditionCount)))
            failures.append(Double(failedCount))
        }
        return [
            BenchRow(
                "redis.renders.eightServers", unit: "renders of a rendition", rounds: rounds,
                operations: options.photographs.count),
            BenchRow(
                "redis.renders.failed", unit: "photographs left out", rounds: failures,
                operations: options.photographs.count),
        ]
    }

    // MARK: Claims

    /// How often each value is made that several connections want at the same time; and the time that it takes to find out
    /// that nobody else makes a value.
    private func claims(_ server: RedisProcess) async throws -> [BenchRow] {
        let stores = (0..<Self.serverCount).map { _ in store(server) }
        defer { for store in stores { store.close() } }
        var made: [Double] = []
        var alone: [Double] = []
        for round in 0..<options.rounds {
            var makeCount = 0
            for number in 0..<Self.claimCount {
                let key = key(1_000_000 * (round + 1) + number)
                makeCount += await withTaskGroup(of: Int.self) { group in
                    for store in stores {
                        group.addTask {
                            let claim = Claimed()
                            guard await claim.isWon(in: store, key) else { return 0 }
                            store.put(StoredValue(Array(repeating: 1, count: Self.byteCount)), for: key) {}
                            claim.end()
                            return 1
                        }
                    }
                    return await group.reduce(0, +)
                }
            }
            made.append(Double(makeCount) / Double(Self.claimCount))
            var times: [Double] = []
            for number in 0..<Self.claimCount {
                let key = key(1_000_000 * (round + 1) + 500_000 + number)
                let claim = Claimed()
                let (time, _) = await Stopwatch.asyncMilliseconds {
                    _ = await lookUp(key, in: stores[0])
                    return await claim.isWon(in: stores[0], key)
                }
                claim.end()
                times.append(time * 1_000)
            }
            times.sort()
            alone.append(times[times.count / 2])
        }
        return [
            BenchRow(
                "redis.claims.eightConnections", unit: "makings of a value", rounds: made,
                operations: Self.claimCount),
            BenchRow(
                "redis.claim.p50", unit: "microseconds for the look-up and the claim", rounds: alone,
                operations: Self.claimCount),
        ]
    }
}

/// A claim, from its beginning to its end.
private final class Claimed: Sendable {
    private let claim = Mutex<(any SharedClaim)?>(nil)

    /// Claims a value, and waits for the answer.
    func isWon(in store: RedisStore, _ key: SharedKey) async -> Bool {
        let answer = await withCheckedContinuation { continuation in
            let made = store.claim(key, lifetime: .seconds(60)) { continuation.resume(returning: $0) }
            claim.withLock { $0 = made }
        }
        return answer == .won
    }

    func end() { claim.withLock { $0 }?.end() }
}
