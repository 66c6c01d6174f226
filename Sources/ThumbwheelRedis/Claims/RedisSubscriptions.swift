import ThumbwheelLocks

/// The channels that claims listen to, over a connection of its own, on which a server sends messages unasked.
final class RedisSubscriptions: Sendable {
    struct Listener: Sendable {
        /// Called when the server has confirmed that messages come from now on.
        let subscribed: @Sendable () -> Void
        /// Called with each message.
        let notified: @Sendable ([UInt8]) -> Void
        /// Called when there is no subscription, or none any more; perhaps more than once.
        let failed: @Sendable () -> Void
    }

    private struct State {
        var listeners: [[UInt8]: [Int: Listener]] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())
    private let connection = Mutex<RedisConnection?>(nil)

    init(connect: (RedisConnection.Subscriptions) -> RedisConnection) {
        let made = connect(
            RedisConnection.Subscriptions(
                message: { [weak self] in self?.receive($1, on: $0) }, loss: { [weak self] in self?.lose() }))
        connection.withLock { $0 = made }
    }

    /// Begins to listen to a channel.
    ///
    /// - Returns: the number by which the listener is removed.
    func add(_ listener: Listener, to channel: [UInt8]) -> Int {
        let (number, connection) = (nextNumber(), connection.withLock { $0 })
        guard let connection else { return number }
        // The command is queued inside the lock, so that commands about one channel are sent in the order in which
        // listeners come and go.
        let submission = state.withLock { state in
            state.listeners[channel, default: [:]][number] = listener
            return connection.submit([RedisCommand("SUBSCRIBE").with(channel)]) { [weak self] replies in
                // A server may refuse the channel to this user. Then no message comes, as on a lost connection.
                guard let replies, replies[0].errorText == nil else {
                    self?.remove(number, from: channel)
                    return listener.failed()
                }
                listener.subscribed()
            }
        }
        connection.finish(submission)
        if !submission.isTaken {
            remove(number, from: channel)
            listener.failed()
        }
        return number
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    func remove(_ number: Int, from channel: [UInt8]) {
        guard let connection = connection.withLock({ $0 }) else { return }
        let submission = state.withLock { state -> RedisConnection.Submission? in
            guard state.listeners[channel]?.removeValue(forKey: number) != nil, state.listeners[channel]!.isEmpty else {
                return nil
            }
            state.listeners[channel] = nil
            return connection.submit([RedisCommand("UNSUBSCRIBE").with(channel)]) { _ in }
        }
        if let submission { connection.finish(submission) }
    }

    private func receive(_ message: [UInt8], on channel: [UInt8]) {
        for listener in state.withLock({ Array(($0.listeners[channel] ?? [:]).values) }) { listener.notified(message) }
    }

    private func lose() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.values.flatMap(\.values)
        }
        for listener in listeners { listener.failed() }
    }

    /// The number of channels that somebody listens to.
    var channelCount: Int { state.withLock { $0.listeners.count } }

    func wake() { connection.withLock { $0 }?.wake() }

    func close() { connection.withLock { $0 }?.close() }
}
