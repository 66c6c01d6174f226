import ThumbwheelCore
import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection to one Redis server, with a thread of its own. Commands of several callers share it: they are sent
/// without waiting for the answers to earlier ones.
///
/// `RedisTraffic` decides everything; this class has the socket, the thread and the clock. Completions are called on the
/// connection's thread, or on the caller's if the server is not used, and must not block.
final class RedisConnection: Sendable {
    private struct State {
        var traffic: RedisTraffic
        var hasThread = false
        /// Whether the thread waits, or is about to, and has to be woken for new commands.
        var isWaiting = false
        /// Wakes the thread. Made with the first commands; nil after a failure to make it, and while no thread is wanted.
        var pipe: WakePipe?
    }

    /// What the system gives to a connection, and may refuse.
    struct System: Sendable {
        var makePipe: @Sendable () -> WakePipe? = { WakePipe() }
        var startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool = {
            DetachedThread.start(named: "thumbwheel-redis", $0)
        }
        /// Finds the addresses of a host and a port, and may block.
        var resolve: @Sendable (String, Int) -> RedisResolution.Answer = { RedisResolution.ask(host: $0, port: $1) }
    }

    /// What is done with messages of channels, which answer no command.
    struct Subscriptions: Sendable {
        /// Called with the channel and the message.
        let message: @Sendable ([UInt8], [UInt8]) -> Void
        /// Called when the connection is lost, and with it all subscriptions.
        let loss: @Sendable () -> Void
    }

    private let address: RedisAddress
    private let timeout: Duration
    private let clock: @Sendable () -> MonotonicTime
    private let subscriptions: Subscriptions?
    private let system: System
    private let resolution: RedisResolution
    private let state: Mutex<State>

    /// - Parameter endsUnwanted: whether the thread ends when the server has failed and nobody has asked it for a minute.
    ///   The next command starts the thread again.
    init(
        _ address: RedisAddress, greeting: [RedisCommand], timeout: Duration, subscriptions: Subscriptions? = nil,
        endsUnwanted: Bool = false, system: System = System(), clock: @escaping @Sendable () -> MonotonicTime
    ) {
        self.address = address
        self.timeout = timeout
        self.clock = clock
        self.subscriptions = subscriptions
        self.system = system
        resolution = RedisResolution(system.resolve)
        state = Mutex(State(traffic: RedisTraffic(greeting: greeting, timeout: timeout, endsUnwanted: endsUnwanted)))
    }

    /// Whether commands are taken: the server works, or has not been tried yet.
    var isUsable: Bool { state.withLock { $0.traffic.isUsable } }

    /// Whether the server has failed, and is not tried again until somebody asks it.
    var isDormant: Bool { state.withLock { !$0.hasThread && !$0.traffic.isUsable } }

    /// Why the server is not used; nil if it works, or has not been tried.
    var failure: RedisError? { state.withLock { $0.traffic.breaker.failure } }

    /// How often the server was found to have failed.
    var failureCount: Int { state.withLock { $0.traffic.breaker.failureCount } }

    /// The bytes of all commands that wait or are on their way.
    var byteCount: Int { state.withLock { $0.traffic.byteCount } }

    /// Sends commands one right after another.
    ///
    /// - Parameter deadline: the time until which all answers must have come; nil for one time-out from now on.
    func send(
        _ commands: [RedisCommand], deadline: MonotonicTime? = nil,
        completion: @escaping @Sendable ([RedisReply]?) -> Void
    ) {
        let submission = submit(commands, deadline: deadline, completion: completion)
        finish(submission)
        if !submission.isTaken { completion(nil) }
    }

    /// What is left to be done for commands that have been queued.
    struct Submission {
        /// Whether the commands have been queued; if not, `completion` is never called.
        let isTaken: Bool
        fileprivate var startsThread = false
        /// Wakes the thread; nil if it does not wait.
        fileprivate var pipe: WakePipe?
    }

    /// Queues commands, and calls nothing, so that the caller may hold a lock. `finish` must follow.
    func submit(
        _ commands: [RedisCommand], deadline: MonotonicTime? = nil,
        completion: @escaping @Sendable ([RedisReply]?) -> Void
    ) -> Submission {
        let now = clock()
        let exchange = RedisExchange(
            commands, deadline: deadline ?? now.advanced(by: timeout), completion: completion)
        return state.withLock { state in
            let isTaken = state.traffic.submit(exchange)
            // A server that has failed is tried again by the thread. If there is none, the first command after the rest
            // starts it.
            guard isTaken || !state.hasThread && state.traffic.mayBeProbed(at: now) else {
                return Submission(isTaken: false)
            }
            if state.pipe == nil { state.pipe = system.makePipe() }
            guard let pipe = state.pipe else {
                // Without a pipe there is no thread either, so this exchange is the only one that can fail here.
                _ = state.traffic.fail(.disconnected(reason: "no file descriptor"), at: now)
                return Submission(isTaken: false)
            }
            defer { (state.hasThread, state.isWaiting) = (true, false) }
            return Submission(
                isTaken: isTaken, startsThread: !state.hasThread, pipe: state.isWaiting ? pipe : nil)
        }
    }

    func finish(_ submission: Submission) {
        submission.pipe?.wake()
        if submission.startsThread { startThread() }
    }

    /// Ends the thread soon. Exchanges that are on their way fail.
    func close() {
        let pipe = state.withLock { state in
            state.traffic.close()
            return state.pipe
        }
        pipe?.wake()
    }

    /// Has the thread look at the clock again; for tests that move it.
    func wake() { state.withLock { $0.pipe }?.wake() }

    private func startThread() {
        guard !system.startThread({ [self] in run() }) else { return }
        // The system has no thread to give. The next command tries again, once the rest after this failure is over.
        let failed = state.withLock { state in
            state.hasThread = false
            return state.traffic.fail(.disconnected(reason: "no thread"), at: clock())
        }
        for exchange in failed { exchange.completion(nil) }
    }

    private func run() {
        // hiredis writes to sockets whose other side may have closed them. The signal that the system sends for that would
        // end a host that does not ignore it.
        BrokenPipeSignal.blockOnThisThread()
        guard let pipe = state.withLock({ $0.pipe }) else { return }
        var link: RedisLink?
        // The commands that wait until the host's address is known; nil if it is known, or not wanted.
        var waiting: [RedisCommand]?
        while true {
            var order = state.withLock { state in
                let order = state.traffic.nextOrder(at: clock())
                state.isWaiting = !order.isDormant
                // In the same step, so that the next command finds either this thread or none.
                if order.isDormant { (state.hasThread, state.pipe) = (false, nil) }
                return order
            }
            if order.isDormant { return }
            do throws(RedisError) {
                if order.link == .close {
                    (link, waiting) = (nil, nil)
                    subscriptions?.loss()
                }
                for exchange in order.failed { exchange.completion(nil) }
                order.failed = []
                if order.isOver { return }
                if order.link == .open {
                    if case .port(let host, let port) = address, !address.isNumeric {
                        waiting = []
                        resolution.begin(host: host, port: port) { pipe.wake() }
                    } else {
                        link = try RedisLink(address)
                    }
                }
                if let earlier = waiting {
                    (waiting, order.commands) = (earlier + order.commands, [])
                    if let answer = resolution.take() {
                        link = try RedisLink.open(anyOf: answer.get())
                        (waiting, order.commands) = (nil, waiting ?? [])
                    }
                }
                for command in order.commands { try link?.append(command) }
                let ready = pipe.wait(
                    for: link?.descriptor, writes: link?.hasOutput ?? false, atMost: milliseconds(until: order.alarm))
                if ready.writes { try link?.write() }
                if ready.reads, let link {
                    try link.read()
                    while let reply = try link.takeReply() { receive(reply) }
                }
            } catch {
                for exchange in state.withLock({ $0.traffic.fail(error, at: clock()) }) { exchange.completion(nil) }
            }
        }
    }

    private func milliseconds(until time: MonotonicTime?) -> Int32? {
        guard let time else { return nil }
        return Int32(clamping: Int(max(0, time.milliseconds(since: clock())).rounded(.up)))
    }

    private func receive(_ reply: RedisReply) {
        if let subscriptions, let (channel, message) = reply.message {
            return subscriptions.message(channel, message)
        }
        let (done, failed) = state.withLock { $0.traffic.receive(reply, at: clock()) }
        if let done { done.completion(done.replies) }
        for exchange in failed { exchange.completion(nil) }
    }
}

extension RedisReply {
    /// The channel and the message, if this is a message of a channel.
    fileprivate var message: ([UInt8], [UInt8])? {
        guard case .array(let parts) = self, parts.count == 3, parts[0] == .bytes(Array("message".utf8)),
            let channel = parts[1].value, let message = parts[2].value
        else { return nil }
        return (channel, message)
    }
}
