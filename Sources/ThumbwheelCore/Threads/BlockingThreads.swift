import ThumbwheelLocks

/// Threads for closures that may block: a blocked closure delays no other.
///
/// A few threads take closures from a queue. Once the first closure of the queue has waited for a millisecond, those
/// threads count as blocked, and every queued closure gets a new thread, up to a limit. Idle threads end after some
/// seconds. Dispatch's pool, in contrast, grows by about one thread a second on Linux while its threads are blocked.
package final class BlockingThreads: Sendable {
    package typealias Work = @Sendable () -> Void
    /// Starts a thread with a name; returns false if the system has no thread to give.
    package typealias Start = @Sendable (String, @escaping Work) -> Bool

    /// The threads for the handlers of hosts.
    package static let handlers = BlockingThreads(named: "thumbwheel-handlers")
    /// The threads for the transactions of libraries that are awaited. A transaction may wait for any other work.
    package static let transactions = BlockingThreads(named: "thumbwheel-transactions")
    /// The threads for everything that follows from a deadline or a time limit.
    package static let deadlines = BlockingThreads(named: "thumbwheel-deadlines")
    /// The threads for the tasks in which resource providers deliver bytes.
    package static let fetches = BlockingThreads(named: "thumbwheel-fetches")
    /// The threads for reads that may wait for a disk or a network. Fetches may wait for reads, so the two do not share
    /// threads.
    package static let reads = BlockingThreads(named: "thumbwheel-reads")
    /// The threads on which a service makes lists of whole libraries, and looks at files before it delivers them.
    package static let services = BlockingThreads(named: "thumbwheel-services")
    /// The threads on which a service reads the files that it sends. A disk that hangs keeps some of these, and none of the others.
    package static let transfers = BlockingThreads(named: "thumbwheel-transfers")
    /// The threads for exports of videos, each of which keeps a processor busy for long.
    package static let exports = BlockingThreads(
        named: "thumbwheel-exports", limit: HostResources.current.processorCount)

    private struct State {
        var queue = WorkQueue()
        /// The signals of the idle threads. The signal of the thread that worked last is at the end, so that thread is
        /// woken first.
        var idle: [TimedSignal] = []
        var threadCount = 0
        /// The number of the closure that was first in the queue when the alarm was set; nil while no alarm is set.
        var watchedNumber: Int?
    }

    private let name: String
    private let start: Start
    /// The number of threads that are started without waiting for the alarm. Further threads start only if the alarm
    /// finds these blocked.
    private let readyCount: Int
    private let limit: Int
    private let state = Mutex(State())
    private let alarm = Mutex<AlarmClock.Alarm?>(nil)

    private static let patience = Duration.milliseconds(1)
    private static let idleTime = Duration.seconds(5)

    /// - Parameters:
    ///   - limit: The number of closures that may run, or block, at once.
    ///   - start: Starts a thread.
    package init(
        named name: String, readyCount: Int = HostResources.current.processorCount, limit: Int = 256,
        startingWith start: @escaping Start = { DetachedThread.start(named: $0, $1) }
    ) {
        self.name = name
        self.start = start
        self.readyCount = max(1, readyCount)
        self.limit = max(limit, self.readyCount)
        alarm.withLock { $0 = AlarmClock.shared.alarm { [weak self] in self?.lookForBlockedThreads() } }
    }

    /// The number of threads, idle ones included.
    package var threadCount: Int { state.withLock { $0.threadCount } }

    /// Runs `work` once, on a thread that runs nothing else at the same time.
    package func run(_ work: @escaping Work) {
        let (idle, isNewThread, isToBeWatched) = state.withLock { state in
            state.queue.append(work)
            if let idle = state.idle.popLast() { return (idle, false, false) as (TimedSignal?, Bool, Bool) }
            if state.threadCount < readyCount {
                state.threadCount += 1
                return (nil, true, false)
            }
            guard state.watchedNumber == nil, state.threadCount < limit else { return (nil, false, false) }
            state.watchedNumber = state.queue.firstNumber
            return (nil, false, true)
        }
        idle?.raise()
        if isNewThread { startThreads(1) }
        if isToBeWatched { setAlarm() }
    }

    private func setAlarm() {
        alarm.withLock { $0 }?.set(at: .now.advanced(by: Self.patience))
    }

    private func lookForBlockedThreads() {
        let (newCount, isToBeWatched) = state.withLock { state in
            var newCount = 0
            if !state.queue.isEmpty, state.queue.firstNumber == state.watchedNumber {
                newCount = min(state.queue.count, limit - state.threadCount)
                state.threadCount += newCount
            }
            state.watchedNumber = state.queue.isEmpty || state.threadCount == limit ? nil : state.queue.firstNumber
            return (newCount, state.watchedNumber != nil)
        }
        startThreads(newCount)
        if isToBeWatched { setAlarm() }
    }

    /// Starts threads that are already counted in the state, as many of them as the system gives.
    private func startThreads(_ count: Int) {
        for number in 0..<count {
            guard !startThread() else { continue }
            // The closures stay in the queue, for a thread that becomes free or for a later attempt.
            let isToBeWatched = state.withLock { state in
                state.threadCount -= count - number
                guard state.watchedNumber == nil, !state.queue.isEmpty else { return false }
                state.watchedNumber = state.queue.firstNumber
                return true
            }
            if isToBeWatched { setAlarm() }
            return
        }
    }

    private func startThread() -> Bool {
        start(name) { [self] in
            let arrival = TimedSignal()
            while let work = nextWork(signalledBy: arrival) { work() }
        }
    }

    /// - Returns: the next closure; nil if the thread must end.
    private func nextWork(signalledBy arrival: TimedSignal) -> Work? {
        while true {
            let work = state.withLock { state in
                let work = state.queue.popFirst()
                if work == nil { state.idle.append(arrival) }
                return work
            }
            if let work { return work }
            guard !arrival.wait(until: .now.advanced(by: Self.idleTime)) else { continue }
            let isToEnd = state.withLock { state in
                guard let place = state.idle.firstIndex(where: { $0 === arrival }) else { return false }
                state.idle.remove(at: place)
                state.threadCount -= 1
                return true
            }
            if isToEnd { return nil }
            // `run` has taken this signal between the time-out and the lock, and is about to raise it. The thread waits
            // for that here. Otherwise the raised signal would end a later wait at once.
            arrival.wait()
        }
    }
}

/// Closures in the order in which they came, numbered from 0.
private struct WorkQueue {
    private var work: [BlockingThreads.Work?] = []
    /// Places before this one are empty. They are removed in bulk, so that taking a closure is cheap on average.
    private var start = 0
    /// The number of the closure that is taken next.
    private(set) var firstNumber = 0

    var count: Int { work.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ closure: @escaping BlockingThreads.Work) { work.append(closure) }

    mutating func popFirst() -> BlockingThreads.Work? {
        guard !isEmpty else { return nil }
        defer {
            start += 1
            firstNumber += 1
            if start >= 256, start * 2 >= work.count {
                work.removeFirst(start)
                start = 0
            } else if isEmpty {
                work.removeAll(keepingCapacity: work.count < 1024)
                start = 0
            }
        }
        return work[start].take()
    }
}
