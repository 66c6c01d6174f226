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
        /// How often servers have failed whose connections have been dropped.
        var droppedFailureCount = 0
        var isClosed = false

        /// The server to ask for a slot. If the one that has it has failed, this is another of the cluster that works: it
        /// tells who has the slot now.
        func server(of slot: Int) -> RedisAddress {
            let server = routes.server(of: slot)
            guard let connection = connections[server], !connection.isUsable else { return server }
            return routes.all.first { connections[$0]?.isUsable ?? false } ?? server
        }
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
    var failureCount: Int {
        state.withLock { state in state.connections.values.reduce(state.droppedFailureCount) { $0 + $1.failureCount } }
    }

    /// The number of servers to which there are connections.
    var connectionCount: Int { state.withLock { $0.connections.count } }

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
        let server = state.withLock { $0.server(of: slot) }
        send(
            commands, to: server, slot: slot, redirections: 0, until: clock().advanced(by: timeout),
            completion: completion)
    }

    /// - Parameter deadline: the time until which the answers must have come, however many servers are asked.
    private func send(
        _ commands: [RedisCommand], to server: RedisAddress, slot: Int, redirections: Int, isAsking: Bool = false,
        until deadline: MonotonicTime, completion: @escaping @Sendable ([RedisReply]?) -> Void
    ) {
        guard let connection = connection(to: server) else { return completion(nil) }
        // Each command that follows an ASK has to say that it does.
        let sent = isAsking ? commands.flatMap { [RedisCommand("ASKING"), $0] } : commands
        connection.send(sent, deadline: deadline) { [weak self] replies in
            guard let self, var replies else {
                self?.state.withLock { $0.routes.forget(server) }
                return completion(nil)
            }
            if isAsking { replies = replies.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element) }
            let redirection = replies.lazy.compactMap { RedisRedirection($0, from: server) }.first
            guard let redirection else { return completion(replies) }
            if case .moved(let slot, let target) = redirection {
                state.withLock { $0.routes.move(slot, to: target) }
            }
            // With less time than half a time-out, the next server might seem to have failed where the one before was slow.
            guard redirections < Self.mostRedirections, clock().advanced(by: timeout / 2) <= deadline else {
                return completion(nil)
            }
            let (target, isAsking) =
                switch redirection {
                case .moved(_, let target): (target, false)
                case .asked(let target): (target, true)
                }
            send(
                commands, to: target, slot: slot, redirections: redirections + 1, isAsking: isAsking, until: deadline,
                completion: completion)
        }
    }

    private func connection(to server: RedisAddress) -> RedisConnection? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            if let connection = state.connections[server] { return connection }
            // The first server is tried for ever, and each other server as long as somebody asks it. The connections that
            // nobody asks any more are dropped here, before a connection to a new server is made.
            for (address, old) in state.connections where address != url.address && old.isDormant {
                state.droppedFailureCount += old.failureCount
                state.connections[address] = nil
            }
            let connection = RedisConnection(
                server, greeting: url.greeting, timeout: timeout, endsUnwanted: server != url.address, clock: clock)
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
