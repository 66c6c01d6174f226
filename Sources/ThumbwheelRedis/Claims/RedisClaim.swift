import ThumbwheelCaching
import ThumbwheelLocks

/// Carries out what `RedisClaimState` decides, over the connections of a store.
final class RedisClaim: SharedClaim {
    private struct State {
        var claim = RedisClaimState()
        /// The number of the subscription; nil if there is none, or none yet.
        var subscription: Int?
        /// Whether the subscription is to end, perhaps before its number is known.
        var isLeaving = false
        /// Called with the answer, once.
        var completion: (@Sendable (SharedClaimAnswer) -> Void)?
        /// The value that the last attempt has found.
        var value: StoredValue?
    }

    private let store: RedisStore
    private let key: SharedKey
    /// The name of the claim in Redis, which is also that of its channel.
    private let name: [UInt8]
    private let token: [UInt8]
    private let milliseconds: Int
    private let state: Mutex<State>

    init(
        of store: RedisStore, _ key: SharedKey, milliseconds: Int,
        completion: @escaping @Sendable (SharedClaimAnswer) -> Void
    ) {
        (self.store, self.key, self.milliseconds) = (store, key, milliseconds)
        name = store.name(of: key) + Array(":claim".utf8)
        token = Array("\(UInt64.random(in: 0 ... .max)).\(UInt64.random(in: 0 ... .max))".utf8)
        state = Mutex(State(completion: completion))
    }

    func begin() { carryOut(RedisClaimState.first) }

    func end() { take { $0.end() } }

    func endWithoutValue() { take { $0.end(.noValue) } }

    private func take(value: StoredValue? = nil, _ event: (inout RedisClaimState) -> [RedisClaimState.Action]) {
        let actions = state.withLock { state in
            if let value { state.value = value }
            return event(&state.claim)
        }
        carryOut(actions)
    }

    private func carryOut(_ actions: [RedisClaimState.Action]) {
        for action in actions {
            switch action {
            case .attempt: attempt()
            case .subscribe: subscribe()
            case .unsubscribe: unsubscribe()
            case .release(let message): release(message)
            case .answer(let answer): complete(answer)
            }
        }
    }

    private func attempt() {
        let valueName = store.name(of: key)
        let commands = [
            RedisCommand("SET").with(name).with(token).with("NX").with("PX").with("\(milliseconds)"),
            RedisCommand("GET").with(valueName),
        ]
        store.client.send(commands, for: valueName) { [self] replies in
            guard let replies, replies[0].isOK || replies[0] == .null, replies[1].errorText == nil else {
                return take { $0.attemptFailed() }
            }
            let value = replies[1].value.flatMap { RedisValue.value(in: $0, for: key) }
            take(value: value) { $0.attempted(isWon: replies[0].isOK, hasValue: value != nil) }
        }
    }

    private func subscribe() {
        let number = store.subscriptions.add(
            RedisSubscriptions.Listener(
                subscribed: { [self] in take { $0.subscribed() } },
                notified: { [self] message in take { $0.notified(RedisClaimMessage(message)) } },
                failed: { [self] in take { $0.unsubscribed() } }),
            to: name)
        let isLeaving = state.withLock { state in
            state.subscription = number
            return state.isLeaving
        }
        if isLeaving { unsubscribe() }
    }

    private func unsubscribe() {
        let number = state.withLock { state in
            state.isLeaving = true
            return state.subscription.take()
        }
        guard let number else { return }
        store.subscriptions.remove(number, from: name)
    }

    /// Frees the claim if it is still this one, and wakes all who wait, in one step.
    private static let script =
        "if redis.call('GET',KEYS[1])==ARGV[1] then redis.call('DEL',KEYS[1]) end "
        + "redis.call('PUBLISH',KEYS[1],ARGV[2]) return 1"

    private func release(_ message: RedisClaimMessage) {
        let command = RedisCommand("EVAL", Self.script, "1").with(name).with(token).with(message.bytes)
        store.client.send([command], for: name) { [self] replies in
            guard replies?[0].errorText != nil else { return }
            // A server without scripts. That the claim may have become another's meanwhile is harmless: the value is made
            // twice.
            store.client.send(
                [RedisCommand("DEL").with(name), RedisCommand("PUBLISH").with(name).with(message.bytes)], for: name
            ) { _ in }
        }
    }

    private func complete(_ answer: RedisClaimState.Answer) {
        let (completion, value) = state.withLock { ($0.completion.take(), $0.value) }
        guard let completion else { return }
        switch answer {
        case .found: completion(value.map { .found($0) } ?? .unavailable)
        case .won: completion(.won)
        case .unavailable: completion(.unavailable)
        }
    }
}
