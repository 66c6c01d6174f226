import ThumbwheelLocks

/// The bytes of a response that come one after another: server-sent events (HTML standard, section 9.2), or pictures in the order in which
/// they are made.
public final class ByteStream: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isOver = false
        /// Whether all that belongs to the stream was added before it was over.
        var isComplete = false
        var handler: (@Sendable () -> Void)?
        /// The work or the observation that feeds the stream. It ends when the stream lets go of it.
        var source: (any Sendable)?
    }

    /// The most bytes that wait for a client. A client that has more is sent away, and comes back.
    private let capacity: Int
    private let state = Mutex(State())

    /// Makes an empty stream.
    ///
    /// - Parameter capacity: The most bytes that may wait for the client when more are added.
    init(capacity: Int = 1 << 16) {
        self.capacity = capacity
    }

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

    /// Sends a comment between events, which proves to proxies that the connection lives.
    public func sendHeartbeat() { append(":\n\n") }

    /// Whether all that belongs to the stream has been added and taken. A server that has come to the end of a stream of
    /// pictures which is not complete breaks the connection off, so that nobody takes its part for the whole. Streams of
    /// events never are complete.
    public var isComplete: Bool { state.withLock { $0.isComplete && $0.waiting.isEmpty } }

    /// Ends the stream and lets go of what feeds it. The bytes that wait can still be taken.
    public func close() { end(isComplete: false) }

    /// Ends a stream to which all has been added.
    func complete() { end(isComplete: true) }

    private func end(isComplete: Bool) {
        let (handler, source) = state.withLock { state -> ((@Sendable () -> Void)?, (any Sendable)?) in
            // A stream that was closed, or whose client takes too little, has lost bytes.
            if !state.isOver { state.isComplete = isComplete }
            state.isOver = true
            defer { (state.handler, state.source) = (nil, nil) }
            return (state.handler, state.source)
        }
        _ = source
        handler?()
    }

    /// Keeps what feeds the stream for as long as the stream lasts.
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
    func append(_ text: String) { append(Array(text.utf8)) }

    /// Sends bytes as they are.
    func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isOver else { return nil }
            if state.waiting.count > capacity { state.isOver = true } else { state.waiting += bytes }
            return state.handler.take()
        }
        handler?()
    }
}
