import Dispatch
import TestSupport
import Testing
import ThumbwheelLocks

@testable import ThumbwheelCore

@Suite("Work that is done one after another", .endsHangs) struct SerialWorkTests {
    private let threads = BlockingThreads(named: "test", readyCount: 8)

    /// Waits on a thread of its own until everything that was given has been done.
    private func finish(_ work: SerialWork) async {
        await withCheckedContinuation { continuation in work.run { continuation.resume() } }
    }

    @Test("closures run in their order, and never two at once, whoever gives them")
    func order() async {
        let work = SerialWork(on: threads)
        let seen = Mutex((numbers: [[Int]](repeating: [], count: 4), running: 0, isAlone: true))
        DispatchQueue.concurrentPerform(iterations: 4) { giver in
            for number in 0..<1000 {
                work.run {
                    seen.withLock { seen in
                        seen.running += 1
                        seen.isAlone = seen.isAlone && seen.running == 1
                    }
                    seen.withLock { seen in
                        seen.numbers[giver].append(number)
                        seen.running -= 1
                    }
                }
            }
        }
        await finish(work)
        seen.withLock { seen in
            #expect(seen.isAlone)
            #expect(seen.numbers == [[Int]](repeating: Array(0..<1000), count: 4))
        }
    }

    @Test("work that blocks delays no other, and only what was given after it")
    func blocking() async {
        let (blocked, other) = (SerialWork(on: threads), SerialWork(on: threads))
        let gate = DispatchSemaphore(value: 0)
        let order = Mutex<[String]>([])
        blocked.run {
            gate.wait()
            order.withLock { $0.append("blocked") }
        }
        blocked.run { order.withLock { $0.append("behind") } }
        other.run { order.withLock { $0.append("other") } }
        await finish(other)
        order.withLock { #expect($0 == ["other"]) }
        gate.signal()
        await finish(blocked)
        order.withLock { #expect($0 == ["other", "blocked", "behind"]) }
    }

    @Test("a closure is let go of before the next one runs")
    func captures() async {
        final class Captured: Sendable {}
        weak var seen: Captured?
        let work = SerialWork(on: threads)
        let gate = DispatchSemaphore(value: 0)
        // Both wait behind this one, so that they are taken together.
        work.run { gate.wait() }
        do {
            let captured = Captured()
            seen = captured
            work.run { _ = captured }
        }
        let isGone = Mutex(false)
        work.run { [weak seen] in isGone.withLock { $0 = seen == nil } }
        gate.signal()
        await finish(work)
        #expect(isGone.withLock { $0 })
    }

    @Test("work that was given is done though nobody refers to the object any more")
    func released() async {
        await withCheckedContinuation { continuation in
            SerialWork(on: threads).run { continuation.resume() }
        }
    }
}
