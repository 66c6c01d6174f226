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
    private let state: Mutex<State>
    private let pipe = WakePipe()

    init(
        _ address: RedisAddress, greeting: [RedisCommand], timeout: Duration, subscriptions: Subscriptions? = nil,
        clock: @escaping @Sendable () -> MonotonicTime
    ) {
        self.address = address
        self.timeout = timeout
        self.clock = clock
        self.subscriptions = subscriptions
        state = Mutex(State(traffic: RedisTraffic(greeting: greeting, timeout: timeout)))
    }

    /// Why the server is not used; nil if it works, or has not been tried.
    var failure: RedisError? { state.withLock { $0.traffic.breaker.failure } }

    /// How often the server was found to have failed.
    var failureCount: Int { state.withLock { $0.traffic.breaker.failureCount } }

    /// The bytes of all commands that wait or are on their way.
    var byteCount: Int { state.withLock { $0.traffic.byteCount } }

    /// Sends commands one right after another.
    func send(_ commands: [RedisCommand], completion: @escaping @Sendable ([RedisReply]?) -> Void) {
        let submission = submit(commands, completion: completion)
        finish(submission)
        if !submission.isTaken { completion(nil) }
    }

    /// What is left to be done for commands that have been queued.
    struct Submission {
        /// Whether the commands have been queued; if not, `completion` is never called.
        let isTaken: Bool
        fileprivate let startsThread: Bool
        fileprivate let wakes: Bool
    }

    /// Queues commands, and calls nothing, so that the caller may hold a lock. `finish` must follow.
    func submit(_ commands: [RedisCommand], completion: @escaping @Sendable ([RedisReply]?) -> Void) -> Submission {
        let exchange = RedisExchange(commands, deadline: clock().advanced(by: timeout), completion: completion)
        return state.withLock { state in
            guard pipe != nil, state.traffic.submit(exchange) else {
                return Submission(isTaken: false, startsThread: false, wakes: false)
            }
            defer { (state.hasThread, state.isWaiting) = (true, false) }
            return Submission(isTaken: true, startsThread: !state.hasThread, wakes: state.isWaiting)
        }
    }

    func finish(_ submission: Submission) {
        if submission.wakes { pipe?.wake() }
        if submission.startsThread { startThread() }
    }

    /// Ends the thread soon. Exchanges that are on their way fail.
    func close() {
        state.withLock { $0.traffic.close() }
        pipe?.wake()
    }

    /// Has the thread look at the clock again; for tests that move it.
    func wake() { pipe?.wake() }

    private func startThread() {
        guard !DetachedThread.start(named: "thumbwheel-redis", { [self] in run() }) else { return }
        // The system has no thread to give. The next command tries again, once the rest after this failure is over.
        let failed = state.withLock { state in
            state.hasThread = false
            return state.traffic.fail(.disconnected(reason: "no thread"), at: clock())
        }
        for exchange in failed { exchange.completion(nil) }
    }

    private func run() {
        blockBrokenPipeSignal()
        guard let pipe else { return }
        var link: RedisLink?
        while true {
            var order = state.withLock { state in
                state.isWaiting = true
                return state.traffic.nextOrder(at: clock())
            }
            do throws(RedisError) {
                if order.link == .close {
                    link = nil
                    subscriptions?.loss()
                }
                for exchange in order.failed { exchange.completion(nil) }
                order.failed = []
                if order.isOver { return }
                if order.link == .open { link = try RedisLink(address) }
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

    /// hiredis writes to sockets whose other side may have closed them. The signal that the system sends for that would
    /// end a host that does not ignore it.
    private func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
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
