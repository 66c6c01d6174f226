import Dispatch
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import Thumbwheel

@Suite(.endsHangs) struct SerialThreadTests {
    @Test("closures of several threads are done one after another, each thread's in its order")
    func order() async {
        let thread = SerialThread()
        let done = Mutex<[(giver: Int, number: Int)]>([])
        let isBusy = Mutex(false)
        DispatchQueue.concurrentPerform(iterations: 4) { giver in
            for number in 0..<250 {
                thread.run {
                    let wasBusy = isBusy.withLock { isBusy in
                        defer { isBusy = true }
                        return isBusy
                    }
                    #expect(!wasBusy)
                    done.withLock { $0.append((giver, number)) }
                    isBusy.withLock { $0 = false }
                }
            }
        }
        await thread.settle()
        let all = done.withLock { $0 }
        #expect(all.count == 1000)
        for giver in 0..<4 { #expect(all.filter { $0.giver == giver }.map(\.number) == Array(0..<250)) }
    }

    @Test("what was given is done though the owner has gone, and then the thread ends")
    func leaving() async {
        let count = Mutex(0)
        let worker: Thread = await withCheckedContinuation { continuation in
            let thread = SerialThread()
            for _ in 0..<10 { thread.run { count.withLock { $0 += 1 } } }
            thread.run { continuation.resume(returning: .current) }
        }
        #expect(count.withLock { $0 } == 10)
        while !worker.isFinished { await Task.yield() }
    }

    @Test("one that has finished begins again with the next closure")
    func returning() async {
        let thread = SerialThread()
        func worker() async -> Thread {
            await withCheckedContinuation { continuation in thread.run { continuation.resume(returning: .current) } }
        }
        let first = await worker()
        await thread.finish()
        while !first.isFinished { await Task.yield() }
        let second = await worker()
        #expect(second !== first)
    }
}
