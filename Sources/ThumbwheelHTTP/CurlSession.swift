import CCurl
import ThumbwheelCore
import ThumbwheelLocks

/// Carries out requests by libcurl, all of them on one thread, over connections that are reused.
///
/// `URLSession` is not used. On Linux it waits for its sockets by sources of Dispatch, and ends the process when many requests are
/// cancelled while connections break off (swift-corelibs-foundation, issue 4791).
final class CurlSession: Sendable {
    private struct State {
        /// The tasks that the thread has not begun, in order.
        var arrivals: [HTTPTask] = []
        var cancelled: [HTTPTask] = []
        var isClosed = false
        /// The handle that wakes the thread; nil while there is no thread.
        var multi: CurlMulti?
    }

    private let connectionsPerHost: Int
    private let timeout: Duration
    private let idleTime: Duration
    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
    private let state = Mutex(State())

    /// The number of hosts to which connections are kept.
    private static let keptHostCount = 4

    /// - Parameters:
    ///   - timeout: the longest time in which a connection is made.
    ///   - idleTime: the time without requests after which the thread ends, and with it the connections.
    ///   - startThread: starts a thread; returns false if the system has none to give.
    init(
        connectionsPerHost: Int, timeout: Duration, idleTime: Duration,
        startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = {
            DetachedThread.start(named: "thumbwheel-http", $0)
        }
    ) {
        self.connectionsPerHost = max(connectionsPerHost, 1)
        self.timeout = timeout
        self.idleTime = idleTime
        self.startThread = startThread
    }

    /// Queues a task, and calls nothing, so that the caller may hold a lock. `proceed` must follow.
    func add(_ task: HTTPTask) {
        state.withLock { $0.arrivals.append(task) }
    }

    /// Lets the thread begin the tasks that were added. If the system has no thread to give, they end with an error.
    func proceed() {
        let (isStarting, multi) = state.withLock { state -> (Bool, CurlMulti?) in
            if let multi = state.multi {
                multi.wake()
                return (false, nil)
            }
            guard !state.arrivals.isEmpty else { return (false, nil) }
            state.multi = CurlMulti(connectionLimit: connectionsPerHost * Self.keptHostCount)
            return (true, state.multi)
        }
        guard isStarting else { return }
        if let multi {
            let hasStarted = startThread { [self] in work(multi) }
            if hasStarted { return }
        }
        for task in leave() { task.end(.connectionFailed(reason: "no thread, memory or descriptor for requests")) }
    }

    /// Ends a task without further events. An event that is under way may still come.
    func cancel(_ task: HTTPTask) {
        state.withLock { state in
            state.arrivals.removeAll { $0 === task }
            guard let multi = state.multi else { return }
            state.cancelled.append(task)
            multi.wake()
        }
    }

    /// Ends the thread and its connections. No task may be left.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.multi?.wake()
        }
    }

    /// Makes the next task start another thread.
    ///
    /// - Returns: the tasks that no thread has begun.
    private func leave() -> [HTTPTask] {
        state.withLock { state in
            defer { (state.multi, state.arrivals, state.cancelled) = (nil, [], []) }
            return state.arrivals
        }
    }

    // MARK: The thread

    private func work(_ multi: CurlMulti) {
        BrokenPipeSignal.blockOnThisThread()
        var exchanges = CurlExchanges(multi, connectionsPerHost: connectionsPerHost, timeout: timeout)
        var idleSince = MonotonicTime.now
        while true {
            let isIdle = exchanges.isEmpty && MonotonicTime.now >= idleSince.advanced(by: idleTime)
            let orders = state.withLock { state -> (arrivals: [HTTPTask], cancelled: [HTTPTask])? in
                // The thread leaves in the same step, so that the next task finds either this thread or none. The handle goes
                // with this thread, on which a broken pipe does no harm.
                guard !state.isClosed, !isIdle || !state.arrivals.isEmpty else {
                    state.multi = nil
                    return nil
                }
                defer { (state.arrivals, state.cancelled) = ([], []) }
                return (state.arrivals, state.cancelled)
            }
            guard let orders else { return }
            exchanges.cancel(orders.cancelled)
            for task in orders.arrivals { exchanges.begin(CurlExchange(task)) }
            if !exchanges.isEmpty { idleSince = .now }
            let works = exchanges.perform()
            guard works, multi.wait(atMost: exchanges.isEmpty ? milliseconds(until: idleSince) : .max) else {
                let error = NetworkError.connectionFailed(reason: "libcurl has failed")
                for task in exchanges.removeAll() + leave() { task.end(error) }
                return
            }
        }
    }

    /// The time until the thread ends, if it has been without requests since a time.
    private func milliseconds(until idleSince: MonotonicTime) -> Int32 {
        let passed = MonotonicTime.now.milliseconds(since: idleSince)
        return Int32(max(0, min(idleTime / .milliseconds(1) - passed, 3.6e6)).rounded(.up))
    }
}
