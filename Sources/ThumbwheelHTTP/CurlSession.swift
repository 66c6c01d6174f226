import CCurl
import ThumbwheelCore
import ThumbwheelLocks

/// Carries out requests by libcurl, all of them on one thread, over connections that are reused.
///
/// `URLSession` is not used. On Linux it waits for its sockets by sources of Dispatch, and a socket that closes while its
/// sources are being cancelled can end the process (swift-corelibs-libdispatch, issue 949).
final class CurlSession: Sendable {
    /// The part of the state that a step of the thread takes.
    private struct Orders {
        var arrivals: [HTTPTask] = []
        var cancelled: [HTTPTask] = []
        var isClosed = false
    }

    private struct State {
        var orders = Orders()
        /// The thread's multi handle; nil while there is no thread.
        var multi: CurlMulti?
    }

    private let connectionsPerHost: Int
    private let timeout: Duration
    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - timeout: the longest time in which a connection is made.
    ///   - startThread: starts a thread; returns false if the system has none to give.
    init(
        connectionsPerHost: Int, timeout: Duration,
        startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = {
            DetachedThread.start(named: "thumbwheel-http", $0)
        }
    ) {
        self.connectionsPerHost = connectionsPerHost
        self.timeout = timeout
        self.startThread = startThread
    }

    /// Queues a task, and calls nothing, so that the caller may hold a lock. `proceed` must follow.
    func add(_ task: HTTPTask) {
        state.withLock { $0.orders.arrivals.append(task) }
    }

    /// Lets the thread begin the tasks that were added. If the system has no thread to give, they end with an error.
    func proceed() {
        let (isStarting, multi) = state.withLock { state -> (Bool, CurlMulti?) in
            if let multi = state.multi {
                multi.wake()
                return (false, multi)
            }
            guard !state.orders.arrivals.isEmpty else { return (false, nil) }
            state.multi = CurlMulti(connectionsPerHost: connectionsPerHost)
            return (true, state.multi)
        }
        guard isStarting else { return }
        if let multi {
            let hasStarted = startThread { [self] in work(multi) }
            if hasStarted { return }
        }
        let stranded = state.withLock { state in
            defer { (state.multi, state.orders) = (nil, Orders(isClosed: state.orders.isClosed)) }
            return state.orders.arrivals
        }
        for task in stranded { task.end(.connectionFailed(reason: "no thread or memory for requests")) }
    }

    /// Ends a task without further events. An event that is under way may still come.
    func cancel(_ task: HTTPTask) {
        state.withLock { state in
            state.orders.cancelled.append(task)
            state.multi?.wake()
        }
    }

    /// Ends the thread and its connections. No task may be left.
    func close() {
        state.withLock { state in
            state.orders.isClosed = true
            state.multi?.wake()
        }
    }

    private func work(_ multi: CurlMulti) {
        BrokenPipeSignal.blockOnThisThread()
        var exchanges: [UnsafeMutableRawPointer: CurlExchange] = [:]
        while true {
            let orders = state.withLock { state in
                defer { state.orders = Orders(isClosed: state.orders.isClosed) }
                return state.orders
            }
            let cancelled = Set(orders.cancelled.map { ObjectIdentifier($0) })
            let isLeaving = { (task: HTTPTask) in orders.isClosed || cancelled.contains(ObjectIdentifier(task)) }
            for (handle, exchange) in exchanges where isLeaving(exchange.task) {
                multi.remove(exchange)
                exchanges[handle] = nil
            }
            if orders.isClosed { return }
            for task in orders.arrivals where !isLeaving(task) {
                guard let exchange = CurlExchange(task, timeout: timeout), multi.add(exchange) else {
                    task.end(.connectionFailed(reason: "no memory for a request"))
                    continue
                }
                exchanges[exchange.handle] = exchange
            }
            multi.perform()
            while let (handle, status) = multi.nextEnd() {
                guard let exchange = exchanges[handle] else { continue }
                multi.remove(exchange)
                // The next request of a redirection has the same handle.
                if exchange.end(status), multi.add(exchange) { continue }
                exchanges[handle] = nil
            }
            multi.wait()
        }
    }
}
