import Dispatch
import TestSupport
import Testing
import ThumbwheelCore

@testable import Thumbwheel

@Suite(.timeLimit(.minutes(1))) struct ErrandThreadTests {
    @Test("errands of several threads are done one after another, each thread's in its order")
    func order() async {
        let thread = ErrandThread()
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

    @Test("what was given is done though the owner has gone, and then the thread lets go of everything")
    func leaving() async {
        final class Token: Sendable {}
        var token: Token? = Token()
        weak let observed = token
        await withCheckedContinuation { continuation in
            let thread = ErrandThread()
            let blocked = Mutex(0)
            for _ in 0..<10 { thread.run { [token] in blocked.withLock { $0 += token == nil ? 0 : 1 } } }
            thread.run {
                #expect(blocked.withLock { $0 } == 10)
                continuation.resume()
            }
        }
        token = nil
        // The last array of errands goes when the thread has left its loop.
        while observed != nil { await Task.yield() }
    }
}
