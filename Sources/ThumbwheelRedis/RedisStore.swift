import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelLocks

/// A store of finished images on Redis, or on a server that speaks its protocol, which several servers share.
///
/// A Redis that is slow, hangs, is gone, is full or is no Redis costs nothing but itself: no call waits for it, a look-up
/// is answered after `Configuration.timeout` at the latest, and a server that has failed is left alone until it answers
/// again. Values are bounded, because a large one holds up all others. The server is to have `maxmemory` and the policy
/// `allkeys-lru`, because nothing here ever expires.
public final class RedisStore: SharedStore {
    /// The server, and the limits of its use.
    public struct Configuration: Sendable {
        /// The server, or any server of a cluster.
        public var url: RedisURL
        /// The longest time that the server may take for an answer while somebody waits for an image.
        ///
        /// A server that has failed is used again once it lets a connection be opened in a quarter of this time, or in twice
        /// the time of the quickest opening so far, if that is longer, but in no more than this time. While no connection has
        /// been opened yet, it may take all of it.
        public var timeout = Duration.milliseconds(40)
        /// The longest time that the server may take for each answer while the store is looked after: `contents`, `verify`
        /// and `removeAll` ask for many values at once, and nobody waits for an image meanwhile.
        public var maintenanceTimeout = Duration.seconds(10)
        /// The bytes that a value may have.
        public var valueByteLimit = 64 << 10
        /// The bytes of values that may be on their way to the server. When there are more, new values are dropped.
        public var queueByteLimit = 2 << 20
        /// The beginning of all keys, so that others can use the server as well.
        public var prefix = "thumbwheel"

        /// Describes the use of a server.
        public init(url: RedisURL) { self.url = url }
    }

    let configuration: Configuration
    let client: RedisClient
    /// The client for looking after the store. It has connections of its own, so that no look-up waits behind hundreds of
    /// values, and so that a slow answer there does not keep look-ups from the server.
    let maintenance: RedisClient
    let subscriptions: RedisSubscriptions
    private let counts = Mutex(SharedStoreStatistics())

    /// Makes a store. It connects when it is first used.
    public convenience init(_ configuration: Configuration) { self.init(configuration, clock: { .now }) }

    /// - Parameter clock: tells the time, by which time-outs are measured.
    init(_ configuration: Configuration, clock: @escaping @Sendable () -> MonotonicTime) {
        self.configuration = configuration
        let client = RedisClient(configuration.url, timeout: configuration.timeout, clock: clock)
        self.client = client
        maintenance = RedisClient(configuration.url, timeout: configuration.maintenanceTimeout, clock: clock)
        subscriptions = RedisSubscriptions { client.connection(for: $0) }
    }

    public var valueByteLimit: Int { configuration.valueByteLimit }

    public var statistics: SharedStoreStatistics {
        var statistics = counts.withLock { $0 }
        statistics.failure = client.failure?.description
        statistics.failures = client.failureCount
        return statistics
    }

    public func lookUp(_ key: SharedKey, completion: @escaping @Sendable (SharedAnswer) -> Void) {
        let name = name(of: key)
        client.send([RedisCommand("GET").with(name)], for: name) { [self] replies in
            completion(answer(replies?[0], for: key))
        }
    }

    /// Reads and counts the answer to a `GET`.
    private func answer(_ reply: RedisReply?, for key: SharedKey) -> SharedAnswer {
        let answer: SharedAnswer
        var isDamaged = false
        switch reply {
        case .bytes(let bytes):
            let value = RedisValue.value(in: bytes, for: key)
            isDamaged = value == nil
            answer = value.map { .found($0) } ?? .missing
        case .null: answer = .missing
        default: answer = .unavailable
        }
        counts.withLock { counts in
            counts.damaged += isDamaged ? 1 : 0
            switch answer {
            case .found(let value):
                counts.hits += 1
                counts.hitByteCount += value.bytes.count
                counts.savedMilliseconds += Double(value.cost) / 1_000
            case .missing: counts.misses += 1
            case .unavailable: counts.unanswered += 1
            }
        }
        return answer
    }

    public func put(_ value: StoredValue, for key: SharedKey, completion: @escaping @Sendable () -> Void) {
        guard value.bytes.count <= configuration.valueByteLimit, client.byteCount < configuration.queueByteLimit else {
            counts.withLock { $0.drops += 1 }
            return completion()
        }
        let name = name(of: key)
        client.send([RedisCommand("SET").with(name).with(RedisValue.bytes(of: value, for: key))], for: name) {
            [self] replies in
            let isWritten = replies?[0].isOK ?? false
            counts.withLock { counts in
                guard isWritten else {
                    counts.drops += 1
                    return
                }
                counts.writes += 1
                counts.writtenByteCount += value.bytes.count
            }
            completion()
        }
    }

    /// The longest life of a claim, which only matters if a server dies.
    private static let longestLifetime = Duration.seconds(600)

    public func claim(
        _ key: SharedKey, lifetime: Duration, completion: @escaping @Sendable (SharedClaimAnswer) -> Void
    ) -> any SharedClaim {
        let (seconds, attoseconds) = min(max(lifetime, .milliseconds(1)), Self.longestLifetime).components
        let claim = RedisClaim(
            of: self, key, milliseconds: Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
        ) { [self] answer in
            counts.withLock { counts in
                switch answer {
                case .won: counts.claimsWon += 1
                case .found: counts.claimsAwaited += 1
                case .unavailable: break
                }
            }
            completion(answer)
        }
        claim.begin()
        return claim
    }

    /// Ends all connections. Later look-ups find nothing. Without this call the connections end with the store.
    public func close() {
        client.close()
        maintenance.close()
        subscriptions.close()
    }

    deinit { close() }

    /// Has all connections look at the clock again; for tests that move it.
    func lookAtClock() {
        client.wake()
        maintenance.wake()
        subscriptions.wake()
    }

    /// The name of a value in Redis. The part in braces is that of the photograph, so that a cluster keeps all its images
    /// on one server.
    func name(of key: SharedKey) -> [UInt8] {
        Array(
            "\(configuration.prefix):{\(Self.digits(key.group))}:\(Self.digits(key.key.high))\(Self.digits(key.key.low))"
                .utf8)
    }

    /// The key of a value with a name; nil if it is no name of a value of this store, for example that of a claim.
    func key(named name: [UInt8]) -> SharedKey? {
        let text = String(decoding: name, as: UTF8.self)
        guard text.hasPrefix(configuration.prefix + ":{") else { return nil }
        let rest = Array(text.dropFirst(configuration.prefix.count + 2))
        guard rest.count == 50, rest[16] == "}", rest[17] == ":", let group = UInt64(String(rest[..<16]), radix: 16),
            let high = UInt64(String(rest[18..<34]), radix: 16), let low = UInt64(String(rest[34...]), radix: 16)
        else { return nil }
        let key = SharedKey(group: group, key: StoreKey(high: high, low: low))
        return self.name(of: key) == name ? key : nil
    }

    private static func digits(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
