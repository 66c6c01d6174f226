import CCurl
import ThumbwheelCore

/// The exchanges of a session: those that run, and those that wait for their turn. They live on the session's thread.
struct CurlExchanges {
    private let multi: CurlMulti
    private let timeout: Duration
    private var turns: OriginTurns<CurlExchange>
    /// The exchanges that run, by their handles.
    private var running: [UnsafeMutableRawPointer: CurlExchange] = [:]

    init(_ multi: CurlMulti, connectionsPerHost: Int, timeout: Duration) {
        self.multi = multi
        self.timeout = timeout
        turns = OriginTurns(limit: connectionsPerHost)
    }

    var isEmpty: Bool { turns.isEmpty }

    /// Begins an exchange, or has it wait for its turn.
    mutating func begin(_ exchange: CurlExchange) {
        let origin = exchange.origin
        if turns.begin(exchange, to: origin), !run(exchange) { runNext(to: origin) }
    }

    /// Ends exchanges without further events.
    mutating func cancel(_ tasks: [HTTPTask]) {
        guard !tasks.isEmpty else { return }
        let cancelled = Set(tasks.map { ObjectIdentifier($0) })
        let isCancelled = { (exchange: CurlExchange) in cancelled.contains(ObjectIdentifier(exchange.task)) }
        turns.removeWaiting(where: isCancelled)
        for (handle, exchange) in running where isCancelled(exchange) {
            multi.remove(handle)
            running[handle] = nil
            runNext(to: exchange.origin)
        }
    }

    /// Reads and writes as much as can be without waiting.
    ///
    /// - Returns: whether libcurl's handle still works.
    mutating func perform() -> Bool {
        guard multi.perform() else { return false }
        while let (handle, status) = multi.nextEnd() {
            guard let exchange = running.removeValue(forKey: handle) else { continue }
            multi.remove(handle)
            let origin = exchange.origin
            // The request that follows a redirection waits for its turn like any other.
            if exchange.end(status) { begin(exchange) }
            runNext(to: origin)
        }
        return true
    }

    /// Ends all exchanges without further events.
    ///
    /// - Returns: their tasks.
    mutating func removeAll() -> [HTTPTask] {
        for handle in running.keys { multi.remove(handle) }
        defer { running = [:] }
        return running.values.map(\.task) + turns.removeAll().map(\.task)
    }

    /// - Returns: whether the exchange runs. Otherwise it has ended.
    private mutating func run(_ exchange: CurlExchange) -> Bool {
        do throws(NetworkError) {
            try exchange.prepare(timeout: timeout)
            guard let handle = exchange.handle, multi.add(handle) else { throw CurlExchange.withoutMemory }
            running[handle] = exchange
        } catch {
            exchange.task.end(error)
            return false
        }
        exchange.task.begin()
        return true
    }

    /// Passes the turn of an exchange that has ended on to the next one.
    private mutating func runNext(to origin: HTTPOrigin) {
        while let next = turns.end(to: origin) {
            if run(next) { return }
        }
    }
}
