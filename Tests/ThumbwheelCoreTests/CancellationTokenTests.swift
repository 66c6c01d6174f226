import Dispatch
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@Suite struct CancellationTokenTests {
    /// Notes who was called, in order.
    private final class Calls: Sendable {
        private let names = Mutex<[Int]>([])

        var all: [Int] { names.withLock { $0 } }

        func add(_ name: Int) { names.withLock { $0.append(name) } }
    }

    @Test("a token counts whom it would tell, until they are told or taken back")
    func handlerCount() {
        let token = CancellationToken()
        let registration = token.onCancel {}
        token.onCancel {}
        #expect(token.handlerCount == 2)
        token.removeHandler(registration)
        #expect(token.handlerCount == 1)
        token.cancel()
        #expect(token.handlerCount == 0)
    }

    @Test("cancelling runs the handlers once, in the order of their registration")
    func handlersRunOnce() {
        let token = CancellationToken()
        let calls = Calls()
        for name in 0..<100 { token.onCancel { calls.add(name) } }
        #expect(!token.isCancelled)
        #expect(calls.all.isEmpty)
        token.cancel()
        token.cancel()
        #expect(token.isCancelled)
        #expect(calls.all == Array(0..<100))
    }

    @Test("a handler registered too late runs at once, on the caller's thread")
    func lateRegistration() {
        let token = CancellationToken()
        let calls = Calls()
        token.cancel()
        let registration = token.onCancel { calls.add(1) }
        #expect(calls.all == [1])
        token.removeHandler(registration)
        token.cancel()
        #expect(calls.all == [1])
    }

    @Test("a removed handler does not run, and the others do")
    func removal() {
        let token = CancellationToken()
        let calls = Calls()
        let registrations = (0..<10).map { name in token.onCancel { calls.add(name) } }
        token.removeHandler(registrations[3])
        token.removeHandler(registrations[3])
        token.removeHandler(registrations[9])
        token.cancel()
        #expect(calls.all == [0, 1, 2, 4, 5, 6, 7, 8])
    }

    @Test("removing a handler, or running it, lets go of what it holds")
    func release() {
        final class Holding: Sendable {}
        let token = CancellationToken()
        weak let removed: Holding?
        weak let run: Holding?
        do {
            let (one, other) = (Holding(), Holding())
            (removed, run) = (one, other)
            let registration = token.onCancel { withExtendedLifetime(one) {} }
            token.onCancel { withExtendedLifetime(other) {} }
            token.removeHandler(registration)
        }
        #expect(removed == nil)
        #expect(run != nil)
        token.cancel()
        #expect(run == nil)
    }

    @Test("a handler may cancel, register and remove on its own token")
    func reentry() {
        let token = CancellationToken()
        let calls = Calls()
        token.onCancel {
            calls.add(1)
            token.cancel()
            token.removeHandler(token.onCancel { calls.add(2) })
        }
        token.onCancel { calls.add(3) }
        token.cancel()
        #expect(calls.all == [1, 2, 3])
    }

    @Test("each handler runs exactly once, however registrations and cancellations race")
    func race() {
        for _ in 0..<300 {
            let token = CancellationToken()
            let calls = Calls()
            let removedCalls = Calls()
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for number in 0..<10 { token.onCancel { calls.add(thread * 10 + number) } }
                if thread.isMultiple(of: 2) { token.cancel() }
                token.removeHandler(token.onCancel { removedCalls.add(thread) })
            }
            #expect(calls.all.sorted() == Array(0..<80))
            #expect(Set(removedCalls.all).count == removedCalls.all.count)
        }
    }
}
