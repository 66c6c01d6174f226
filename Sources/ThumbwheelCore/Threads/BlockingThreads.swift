import Foundation

/// Threads for closures that may block: one that waits holds up no other.
///
/// A few threads take closures as they come. Where the first closure of the queue has waited for a millisecond, those threads
/// are blocked, or as good as blocked, and every closure in the queue gets a thread, up to a limit. Threads without work end
/// after some seconds. Dispatch's pool, in contrast, grows by about a thread a second on Linux while its threads are blocked.
package final class BlockingThreads: Sendable {
    package typealias Work = @Sendable () -> Void

    /// For hosts' handlers.
    package static let handlers = BlockingThreads(named: "thumbwheel-handlers")
    /// For the tasks in which providers bring bytes.
    package static let fetches = BlockingThreads(named: "thumbwheel-fetches")
    /// For reads that may wait for a disk or a network. Apart from fetches, which may wait for them.
    package static let reads = BlockingThreads(named: "thumbwheel-reads")

    private struct State {
        var queue = WorkQueue()
        /// What wakes the threads that wait for work; the one that has worked last is at the end, and the first to be woken.
        var idle: [TimedSignal] = []
        var threadCount = 0
        /// The closure that was first in the queue when the alarm was set; nil where no alarm is set.
        var watchedNumber: Int?
    }

    private let name: String
    /// Threads that are started without a look at how long closures have waited.
    private let readyCount: Int
    private let limit: Int
    private let state = Mutex(State())
    private let alarm = Mutex<AlarmClock.Alarm?>(nil)

    private static let patience = Duration.milliseconds(1)
    private static let idleTime = Duration.seconds(5)

    /// - Parameter limit: how many closures may run, or block, at once.
    package init(
        named name: String, readyCount: Int = HostResources.current.processorCount, limit: Int = 256
    ) {
        self.name = name
        self.readyCount = max(1, readyCount)
        self.limit = max(limit, self.readyCount)
        alarm.withLock { $0 = AlarmClock.shared.alarm { [weak self] in self?.lookForBlockedThreads() } }
    }

    /// How many threads there are, idle ones included.
    package var threadCount: Int { state.withLock { $0.threadCount } }

    /// Runs `work` once, on a thread of its own while it runs.
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
        if isNewThread { startThread() }
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
        for _ in 0..<newCount { startThread() }
        if isToBeWatched { setAlarm() }
    }

    private func startThread() {
        let thread = Thread { [self] in
            let arrival = TimedSignal()
            while let work = nextWork(signalledBy: arrival) { work() }
        }
        thread.name = name
        thread.start()
    }

    /// - Returns: nil where the thread is to end.
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
            // It was chosen in this moment: the signal is on its way, and must not be left for a later wait.
            arrival.wait()
        }
    }
}

/// Closures in the order in which they came, numbered from 0.
private struct WorkQueue {
    private var work: [BlockingThreads.Work?] = []
    /// Places before this one are empty; they are removed many at a time, which makes taking cheap on average.
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
