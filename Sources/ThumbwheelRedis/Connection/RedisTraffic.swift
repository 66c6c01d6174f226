import ThumbwheelCore

/// One connection to a Redis server, as a value: which commands wait, which are on their way, and whether the server is
/// used at the moment.
///
/// Nobody waits for a server longer than one time-out, and a server that has failed is not used until it has answered a
/// `PING` of the connection's own. Sockets, threads and clocks are the owner's.
struct RedisTraffic: Sendable {
    private enum Phase: Equatable {
        /// Nothing has been asked yet.
        case unused
        /// The link is to be opened, or is being opened, or its first commands have not been answered. After a failure
        /// (`isProbe`) nobody's commands are taken meanwhile.
        case opening(isProbe: Bool)
        case ready
        /// The server has failed; see `breaker`.
        case resting
        case closed
    }

    /// A server that has failed is well again only if it answers in this part of the time-out, or in twice the time of the
    /// quickest opening so far, if that is longer: opening a link takes several round trips. A server that answers just in
    /// time, or only now and then, would cost another time-out soon.
    private static let probeShare = 4
    /// How long a connection that ends when unwanted goes on trying a server that has failed and that nobody asks any more.
    private static let longestUnwanted = Duration.seconds(60)
    /// The first words of errors of a server that has become of no use: a master that is a replica now, one that reads its
    /// values from disk, and a replica that has lost its master. Another connection may lead to another server.
    private static let unfitWords: Set<Substring> = ["READONLY", "LOADING", "MASTERDOWN"]

    private let greeting: [RedisCommand]
    private let timeout: Duration
    private let endsUnwanted: Bool
    private var phase = Phase.unused
    private(set) var breaker = RedisBreaker()
    /// Whether there is a link, as far as the owner has been told and has told.
    private var hasLink = false
    private var waiting: [RedisExchange] = []
    /// The exchanges whose answers are to come, in the order in which they were sent.
    private var sent: [RedisExchange] = []
    /// The end of the time in which the first commands must have been answered; nil unless the link is being opened.
    private var greetingEnd: MonotonicTime?
    /// The time at which the present link was ordered.
    private var openedAt = MonotonicTime.zero
    /// The shortest time, in milliseconds, from ordering a link to the answer to the last of its first commands; nil if no
    /// link has been opened yet. It tells how far away the server is.
    private var quickestOpening: Double?
    /// How many first commands have not been answered.
    private var greetingCount = 0
    /// The bytes of all commands that wait or are on their way.
    private(set) var byteCount = 0
    /// The latest deadline of all exchanges, those that were not taken included.
    private var lastDeadline = MonotonicTime.zero

    /// - Parameter endsUnwanted: whether the owner is to stop trying a server that has failed once nobody has asked it for a
    ///   minute, because it may be gone for good.
    init(greeting: [RedisCommand], timeout: Duration, endsUnwanted: Bool = false) {
        (self.greeting, self.timeout, self.endsUnwanted) = (greeting, timeout, endsUnwanted)
    }

    /// What the owner is to do next.
    struct Order {
        enum Link { case keep, open, close }
        var link = Link.keep
        /// Commands to send over the link, in this order.
        var commands: [RedisCommand] = []
        /// Exchanges that have failed; their completions are to be called with nil.
        var failed: [RedisExchange] = []
        /// When to ask again at the latest; nil if only an event changes anything.
        var alarm: MonotonicTime?
        /// Whether the connection is closed for good.
        var isOver = false
        /// Whether nothing is to be done until somebody asks the server again.
        var isDormant = false
    }

    /// Whether commands are taken: the server works, or has not been tried yet.
    var isUsable: Bool {
        switch phase {
        case .unused, .ready, .opening(isProbe: false): true
        case .opening, .resting, .closed: false
        }
    }

    /// Whether a server that has failed may be tried again.
    func mayBeProbed(at now: MonotonicTime) -> Bool { phase == .resting && now >= breaker.end }

    /// Takes an exchange.
    ///
    /// - Returns: false if the server is not used at the moment; then the exchange has failed.
    mutating func submit(_ exchange: RedisExchange) -> Bool {
        lastDeadline = max(lastDeadline, exchange.deadline)
        guard isUsable else { return false }
        if phase == .unused { phase = .opening(isProbe: false) }
        byteCount += exchange.commands.reduce(0) { $0 + $1.byteCount }
        waiting.append(exchange)
        return true
    }

    /// What is to be done now.
    mutating func nextOrder(at now: MonotonicTime) -> Order {
        var order = Order()
        if phase == .closed {
            order.failed = takeAll()
            order.link = hasLink ? .close : .keep
            hasLink = false
            order.isOver = true
            return order
        }
        if isLate(at: now) {
            order.failed = fail(.timedOut, at: now)
        }
        // A link that has failed is closed before another is opened.
        if !hasLink, mayBeProbed(at: now) {
            if endsUnwanted, now >= lastDeadline.advanced(by: Self.longestUnwanted) {
                order.isDormant = true
                return order
            }
            phase = .opening(isProbe: true)
        }
        if phase == .resting || phase == .unused {
            order.link = hasLink ? .close : .keep
            hasLink = false
            order.alarm = phase == .resting ? breaker.end : nil
            return order
        }
        if !hasLink {
            hasLink = true
            order.link = .open
            order.commands = greeting
            greetingCount = greeting.count
            openedAt = now
            greetingEnd = now.advanced(by: phase == .opening(isProbe: true) ? probeTimeout : timeout)
        }
        for exchange in waiting {
            order.commands += exchange.commands
            sent.append(exchange)
        }
        waiting = []
        order.alarm = [greetingEnd, sent.lazy.map(\.deadline).min()].compactMap(\.self).min()
        return order
    }

    /// The time that the first commands after a failure may take, with the opening of the link.
    private var probeTimeout: Duration {
        // Nobody waits for a probe. Where it is not known how far away the server is, it may take as long as others.
        guard let quickestOpening else { return timeout }
        return min(timeout, max(timeout / Self.probeShare, .milliseconds(2 * quickestOpening)))
    }

    private func isLate(at now: MonotonicTime) -> Bool {
        if let greetingEnd, greetingEnd <= now { return true }
        return sent.contains { $0.deadline <= now } || waiting.contains { $0.deadline <= now }
    }

    /// Takes an answer of the server.
    ///
    /// - Returns: the exchange that it completes, if any, with all answers in it; and the exchanges that fail because the
    ///   server must not be used.
    mutating func receive(_ reply: RedisReply, at now: MonotonicTime) -> (done: RedisExchange?, failed: [RedisExchange])
    {
        // What still comes over a link that has failed is of no use, and must not hide why it has.
        guard phase != .resting, phase != .closed else { return (nil, []) }
        if greetingCount > 0 {
            greetingCount -= 1
            if let reason = reply.errorText { return (nil, fail(.refused(reason: reason), at: now)) }
            if greetingCount == 0 {
                greetingEnd = nil
                let milliseconds = now.milliseconds(since: openedAt)
                quickestOpening = min(quickestOpening ?? milliseconds, milliseconds)
                phase = .ready
                breaker.noteSuccess()
            }
            return (nil, [])
        }
        guard !sent.isEmpty else { return (nil, fail(.malformed, at: now)) }
        if let reason = reply.errorText, let word = reason.split(separator: " ").first, Self.unfitWords.contains(word) {
            return (nil, fail(.refused(reason: reason), at: now))
        }
        guard sent[0].receive(reply) else { return (nil, []) }
        let exchange = sent.removeFirst()
        byteCount -= exchange.commands.reduce(0) { $0 + $1.byteCount }
        return (exchange, [])
    }

    /// Notes that the link could not be opened, was closed, or has brought what is no answer.
    ///
    /// - Returns: the exchanges that have failed.
    mutating func fail(_ error: RedisError, at now: MonotonicTime) -> [RedisExchange] {
        guard phase != .closed else { return takeAll() }
        breaker.noteFailure(error, at: now)
        phase = .resting
        (greetingEnd, greetingCount) = (nil, 0)
        return takeAll()
    }

    private mutating func takeAll() -> [RedisExchange] {
        defer { (sent, waiting, byteCount) = ([], [], 0) }
        return sent + waiting
    }

    mutating func close() { phase = .closed }
}
