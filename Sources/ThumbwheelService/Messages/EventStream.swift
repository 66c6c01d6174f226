import ThumbwheelLocks

/// Server-sent events for one client (HTML standard, section 9.2). What waits is bounded: events that say the same thing
/// are joined by whoever sends them.
public final class EventStream: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isOver = false
        var handler: (@Sendable () -> Void)?
        /// The observation that feeds the stream. It ends when the stream lets go of it.
        var source: (any Sendable)?
    }

    /// The most bytes that wait for a client. A client that has more is sent away, and comes back.
    private static let capacity = 1 << 16

    private let state = Mutex(State())

    /// Makes a stream without events.
    init() {}

    /// Takes the bytes that wait; empty if none do, nil once the stream is over and all has been taken.
    public func take() -> [UInt8]? {
        state.withLock { state in
            if state.waiting.isEmpty && state.isOver { return nil }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Has `handler` called once: as soon as `take` returns bytes or nil, at once if it would now. It must not block.
    public func whenReadable(_ handler: @escaping @Sendable () -> Void) {
        let isReadable = state.withLock { state in
            guard state.waiting.isEmpty, !state.isOver else { return true }
            state.handler = handler
            return false
        }
        if isReadable { handler() }
    }

    /// Sends a comment, which proves to proxies that the connection lives.
    public func sendHeartbeat() { append(":\n\n") }

    /// Ends the stream and lets go of what feeds it. The bytes that wait can still be taken.
    public func close() {
        let (handler, source) = state.withLock { state -> ((@Sendable () -> Void)?, (any Sendable)?) in
            state.isOver = true
            defer { (state.handler, state.source) = (nil, nil) }
            return (state.handler, state.source)
        }
        _ = source
        handler?()
    }

    /// Keeps an observation for as long as the stream lasts.
    func keep(_ source: any Sendable) {
        state.withLock { state in
            if !state.isOver { state.source = source }
        }
    }

    /// Sends an event.
    ///
    /// - Parameters:
    ///   - name: The event's type.
    ///   - data: One line.
    func send(_ name: String, data: String) {
        append("event: \(name)\ndata: \(data)\n\n")
    }

    /// Sends lines as they are.
    func append(_ text: String) {
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isOver else { return nil }
            if state.waiting.count > Self.capacity { state.isOver = true } else { state.waiting += text.utf8 }
            return state.handler.take()
        }
        handler?()
    }
}
