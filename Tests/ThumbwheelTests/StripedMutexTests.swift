import Dispatch
import Foundation
import TestSupport
import Testing

import struct Synchronization.Atomic

@testable import Thumbwheel

/// A value that many threads read, each with the lock of a stripe.
@Suite(.endsHangs) struct StripedMutexTests {
    private struct Pair: Sendable {
        var one = 0
        var other = 0
    }

    private final class Guarded: Sendable {
        let pair = StripedMutex(Pair(), stripeCount: 8) { _ in 0 }
    }

    @Test("readers see a change whole or not at all, and no change of another thread is lost")
    func consistency() {
        let guarded = Guarded()
        let torn = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for step in 0..<20_000 {
                if thread < 2, step % 8 == 0 {
                    guarded.pair.change { pair in
                        pair.one += 1
                        pair.other -= 1
                    } adapt: { pair, changes in
                        changes = max(changes, pair.one)
                    }
                }
                let isWhole = guarded.pair.read(stripe: (thread + step) % 8) { pair, changes in
                    // The notes of each stripe are adapted before any thread with this stripe reads on.
                    pair.one == -pair.other && changes == pair.one
                }
                if !isWhole { torn.wrappingAdd(1, ordering: .relaxed) }
            }
        }
        #expect(torn.load(ordering: .relaxed) == 0)
        #expect(guarded.pair.read(stripe: 0) { pair, _ in pair.one } == 5000)
    }

    @Test("threads of different stripes read at the same time")
    func parallel() {
        let guarded = Guarded()
        let (entered, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            guarded.pair.read(stripe: 1) { _, _ in
                entered.signal()
                left.wait()
            }
        }
        entered.wait()
        // This would wait for ever if it needed the lock that the other thread holds.
        guarded.pair.read(stripe: 2) { _, _ in _ = left.signal() }
    }

    @Test("values are released with the mutex")
    func release() {
        final class Tracked: Sendable {}
        weak var value: Tracked?
        weak var note: Tracked?
        do {
            let (kept, noted) = (Tracked(), Tracked())
            (value, note) = (kept, noted)
            let mutex = StripedMutex(kept, stripeCount: 4) { _ in noted }
            #expect(mutex.read(stripe: 3) { $0 === kept && $1 === noted })
        }
        #expect(value == nil && note == nil)
    }
}
