import ThumbwheelCore
import ThumbwheelLocks

/// Sends commands to a Redis server, or to the server of a cluster that has their key, and follows where a cluster says
/// that a key is elsewhere.
///
/// Nothing here waits: completions are called on a connection's thread, or on the caller's if the server is not used.
final class RedisClient: Sendable {
    private struct State {
        var routes: RedisRoutes
        var connections: [RedisAddress: RedisConnection] = [:]
        var isClosed = false
    }

    private let url: RedisURL
    private let timeout: Duration
    private let clock: @Sendable () -> MonotonicTime
    private let state: Mutex<State>

    /// How often one command is sent on to another server before it fails.
    private static let mostRedirections = 4

    init(_ url: RedisURL, timeout: Duration, clock: @escaping @Sendable () -> MonotonicTime = { .now }) {
        (self.url, self.timeout, self.clock) = (url, timeout, clock)
        state = Mutex(State(routes: RedisRoutes(seed: url.address)))
    }

    deinit { close() }

    /// Why the first server is not used; nil if it works, or has not been tried.
    var failure: RedisError? { state.withLock { $0.connections[url.address] }?.failure }

    /// How often a server was found to have failed.
    var failureCount: Int { state.withLock { $0.connections.values.reduce(0) { $0 + $1.failureCount } } }

    /// The bytes of all commands that wait or are on their way.
    var byteCount: Int { state.withLock { $0.connections.values.reduce(0) { $0 + $1.byteCount } } }

    /// Sends commands one right after another to the server that has `key`. All of them must be about keys with the same
    /// tag.
    ///
    /// - Parameter completion: called once: with an answer to each command, or with nil if the server is not used or has
    ///   failed.
    func send(
        _ commands: [RedisCommand], for key: [UInt8], completion: @escaping @Sendable ([RedisReply]?) -> Void
    ) {
        let slot = RedisSlot.number(of: key)
        let server = state.withLock { $0.routes.server(of: slot) }
        send(commands, to: server, slot: slot, redirections: 0, completion: completion)
    }

    private func send(
        _ commands: [RedisCommand], to server: RedisAddress, slot: Int, redirections: Int, isAsking: Bool = false,
        completion: @escaping @Sendable ([RedisReply]?) -> Void
    ) {
        guard let connection = connection(to: server) else { return completion(nil) }
        // Each command that follows an ASK has to say that it does.
        let sent = isAsking ? commands.flatMap { [RedisCommand("ASKING"), $0] } : commands
        connection.send(sent) { [weak self] replies in
            guard let self, var replies else {
                self?.state.withLock { $0.routes.forget(server) }
                return completion(nil)
            }
            if isAsking { replies = replies.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element) }
            let redirection = replies.lazy.compactMap { RedisRedirection($0, from: server) }.first
            guard let redirection else { return completion(replies) }
            guard redirections < Self.mostRedirections else { return completion(nil) }
            switch redirection {
            case .moved(let slot, let target):
                state.withLock { $0.routes.move(slot, to: target) }
                send(commands, to: target, slot: slot, redirections: redirections + 1, completion: completion)
            case .asked(let target):
                send(
                    commands, to: target, slot: slot, redirections: redirections + 1, isAsking: true,
                    completion: completion)
            }
        }
    }

    private func connection(to server: RedisAddress) -> RedisConnection? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            if let connection = state.connections[server] { return connection }
            let connection = RedisConnection(server, greeting: url.greeting, timeout: timeout, clock: clock)
            state.connections[server] = connection
            return connection
        }
    }

    /// Has all connections look at the clock again; for tests that move it.
    func wake() {
        for connection in state.withLock({ Array($0.connections.values) }) { connection.wake() }
    }

    /// Makes a connection to the first server on which messages of channels come.
    func connection(for subscriptions: RedisConnection.Subscriptions) -> RedisConnection {
        RedisConnection(
            url.address, greeting: url.greeting, timeout: timeout, subscriptions: subscriptions, clock: clock)
    }

    /// Ends all connections. Commands that are on their way fail.
    func close() {
        let connections = state.withLock { state in
            state.isClosed = true
            defer { state.connections = [:] }
            return Array(state.connections.values)
        }
        for connection in connections { connection.close() }
    }
}
