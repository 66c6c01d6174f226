import Dispatch
import TestSupport
import Testing
import ThumbwheelLocks

@testable import ThumbwheelCore

@Suite(.endsHangs) struct BlockingThreadsTests {
    @Test("blocked closures do not delay those behind them, up to the limit", arguments: [1, 2, 60])
    func blocked(count: Int) async {
        let threads = BlockingThreads(named: "test", readyCount: 2, limit: count + 1)
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<count { threads.run { gate.wait() } }
        // Resumes only if the closure gets a thread while all of the others wait.
        await withCheckedContinuation { continuation in threads.run { continuation.resume() } }
        for _ in 0..<count { gate.signal() }
    }

    @Test("beyond the limit, closures wait until one returns, and all run in the end")
    func limit() async {
        let threads = BlockingThreads(named: "test", readyCount: 1, limit: 3)
        let gate = DispatchSemaphore(value: 0)
        let running = Mutex((now: 0, most: 0, done: 0))
        await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
            for _ in 0..<12 {
                threads.run {
                    running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.done) }
                    gate.wait()
                    let done = running.withLock { running in
                        running = (running.now - 1, running.most, running.done + 1)
                        return running.done
                    }
                    if done == 12 { end.resume() }
                }
            }
            for _ in 0..<12 { gate.signal() }
        }
        #expect(running.withLock { $0.most } <= 3)
        #expect(threads.threadCount <= 3)
    }

    @Test("closures that find no thread run once the system gives one", arguments: [1, 3, 50])
    func refusedThreads(refusals: Int) async {
        let left = Mutex(refusals)
        let threads = BlockingThreads(named: "test", readyCount: 2, limit: 8) { name, body in
            let isRefused = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return !isRefused && DetachedThread.start(named: name, body)
        }
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { await withCheckedContinuation { end in threads.run { end.resume() } } }
            }
        }
        // Threads that have been idle for seconds may have ended by now.
        #expect(threads.threadCount <= 8)
    }

    @Test("closures from many threads run once each; on one thread, in the order in which each giver gave them")
    func order() async {
        let threads = BlockingThreads(named: "test", readyCount: 1, limit: 1)
        let done = Mutex<[(giver: Int, number: Int)]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { giver in
            for number in 0..<1000 { threads.run { done.withLock { $0.append((giver, number)) } } }
        }
        await withCheckedContinuation { continuation in threads.run { continuation.resume() } }
        let all = done.withLock { $0 }
        #expect(all.count == 4000)
        for giver in 0..<4 { #expect(all.filter { $0.giver == giver }.map(\.number) == Array(0..<1000)) }
    }

    @Test("a closure may enqueue others and wait for them")
    func nested() async {
        let threads = BlockingThreads(named: "test", readyCount: 1, limit: 40)
        @Sendable func descend(_ depth: Int) {
            guard depth > 0 else { return }
            let end = DispatchSemaphore(value: 0)
            threads.run {
                descend(depth - 1)
                end.signal()
            }
            end.wait()
        }
        await withCheckedContinuation { continuation in
            threads.run {
                descend(30)
                continuation.resume()
            }
        }
    }
}
